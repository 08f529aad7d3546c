import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANE_HEIGHT, reordered, RowLayout, type Row } from '../../src/timeline/rows';

const lane = (key: string, height = LANE_HEIGHT): Row => ({ type: 'lane', key, label: key, note: '', height, pinned: false });

test('a million goroutine rows cost only the visible ones', () => {
  let made = 0;
  const block = { count: 1_000_000, at: (i: number) => (made++, lane(`g:${i}`)), indexOf: (key: string) => Number(key.slice(2)) };
  const layout = new RowLayout([lane('p:0', 30)], block);
  const visible = layout.visible(30 + 500_000 * LANE_HEIGHT, 30 + 500_040 * LANE_HEIGHT);
  assert.equal(visible[0].row.key, 'g:500000');
  assert.equal(visible.length, 40);
  assert.equal(made, 40);
  assert.deepEqual(layout.place('g:999999'), { y: 30 + 999_999 * LANE_HEIGHT, height: LANE_HEIGHT });
});

test('rows partly on screen are visible', () => {
  const layout = new RowLayout([lane('a', 40), lane('b', 20), lane('c', 20)]);
  assert.deepEqual(layout.visible(39, 61).map((v) => v.row.key), ['a', 'b', 'c']);
  assert.deepEqual(layout.visible(40, 60).map((v) => v.row.key), ['b']);
  assert.equal(layout.place('z'), null);
});

test('moved lanes come first, new ones where they were', () => {
  assert.deepEqual(reordered(['a', 'b', 'c', 'd'], ['c', 'gone', 'a']), ['c', 'a', 'b', 'd']);
});

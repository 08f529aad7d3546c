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

test('pinned rows stay at the top, the others scroll below them', () => {
  const pinned: Row = { type: 'lane', key: 'p:0', label: 'P0', note: '', height: 20, pinned: true };
  const layout = new RowLayout([{ type: 'section', key: 's:pinned', label: 'Pinned', note: '', height: 10, open: true }, pinned, lane('a', 40), lane('b', 40), lane('p:0', 40)]);
  assert.equal(layout.stickyHeight, 30);
  assert.deepEqual(layout.visible(0, 200).map((v) => [v.row.key, v.y]), [['a', 30], ['b', 70], ['p:0', 110], ['s:pinned', 0], ['p:0', 10]]);
  assert.deepEqual(layout.visible(45, 200).map((v) => [v.row.key, v.y]), [['b', 70], ['p:0', 110], ['s:pinned', 45], ['p:0', 55]]);
  assert.deepEqual(layout.place('p:0', 45), { y: 55, height: 20 });
  assert.deepEqual(layout.place('b', 45), { y: 70, height: 40 });
});

test('moved lanes come first, new ones where they were', () => {
  assert.deepEqual(reordered(['a', 'b', 'c', 'd'], ['c', 'gone', 'a']), ['c', 'a', 'b', 'd']);
});

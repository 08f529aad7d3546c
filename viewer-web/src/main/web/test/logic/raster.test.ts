import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Raster, stateTable } from '../../src/timeline/raster';
import { firstAfter, type Tile } from '../../src/timeline/tiles';
import type { Palette } from '../../src/theme';

const states = ['NONE', 'UNKNOWN', 'RUNNABLE', 'RUNNING', 'SYSCALL', 'WAIT_SYNC', 'IDLE'].map((name) => ({ name, busy: name === 'RUNNING' || name === 'SYSCALL' }));
const palette = { background: '#ffffff', hatch: '#333333', states: { UNKNOWN: '#999999', RUNNABLE: '#ffaa00', RUNNING: '#0000ff', SYSCALL: '#aa00aa', WAIT_SYNC: '#dddddd', IDLE: '#eeeeee' } } as unknown as Palette;
const WHITE = 0xffffffff;
const BLUE = 0xffff0000;
const GREY = 0xffdddddd;

function draw(width: number, height: number, spans: [number, number, string, number?, number?][], nsPerPx = 1): Uint32Array {
  const tile: Tile = {
    from: 0,
    to: width * nsPerPx,
    start: Float64Array.from(spans, (s) => s[0]),
    end: Float64Array.from(spans, (s) => s[1]),
    state: Uint8Array.from(spans, (s) => states.findIndex((t) => t.name === s[2])),
    count: Uint32Array.from(spans, (s) => s[3] ?? 1),
    busy: Uint8Array.from(spans, (s) => s[4] ?? 255),
    g: new Float64Array(spans.length).fill(1),
    reason: new Int32Array(spans.length),
    exact: true,
    bytes: 0,
  };
  const out = new Uint32Array(width * height);
  new Raster(stateTable(states), palette).draw(out, width, height, [{ tile, from: tile.from, to: tile.to }], 0, nsPerPx, 'none');
  return out;
}

const column = (out: Uint32Array, width: number, x: number) => Array.from({ length: out.length / width }, (_, y) => out[y * width + x]);

test('a span is a solid block, with a hair of background before the next', () => {
  const out = draw(20, 4, [
    [2, 10, 'RUNNING'],
    [10, 18, 'RUNNING'],
  ]);
  assert.deepEqual(column(out, 20, 1), [WHITE, WHITE, WHITE, WHITE]);
  assert.deepEqual(column(out, 20, 2), [BLUE, BLUE, BLUE, BLUE]);
  assert.deepEqual(column(out, 20, 9), [WHITE, WHITE, WHITE, WHITE]);
  assert.deepEqual(column(out, 20, 10), [BLUE, BLUE, BLUE, BLUE]);
});

test('a merged piece shows how much of it was busy', () => {
  const out = draw(2, 10, [[0, 100, 'RUNNING', 50, 128]], 100);
  assert.equal(column(out, 2, 0).filter((p) => p === BLUE).length, 5);
});

test('a short run in a long wait is still seen', () => {
  const out = draw(
    1,
    20,
    [
      [0, 999, 'WAIT_SYNC'],
      [999, 1000, 'RUNNING'],
    ],
    1000,
  );
  const pixels = column(out, 1, 0);
  assert.ok(pixels.filter((p) => p === BLUE).length >= 2, 'running must not vanish');
  assert.ok(pixels.filter((p) => p === GREY).length >= 16);
});

test('a merged piece of waiting shows the busy share as running', () => {
  const out = draw(1, 10, [[0, 100, 'WAIT_SYNC', 9, 77]], 100);
  const pixels = column(out, 1, 0);
  assert.equal(pixels.filter((p) => p === BLUE).length, 3);
  assert.equal(pixels.filter((p) => p === GREY).length, 7);
});

test('time without spans stays background', () => {
  assert.ok(draw(5, 5, []).every((p) => p === WHITE));
});

test('firstAfter finds the first span that ends after a time', () => {
  const ends = Float64Array.of(5, 10, 15);
  assert.equal(firstAfter(ends, 0), 0);
  assert.equal(firstAfter(ends, 5), 1);
  assert.equal(firstAfter(ends, 14), 2);
  assert.equal(firstAfter(ends, 15), 3);
});

test('what is unknown is hatched, in blocks and in single columns, from the same instant on', () => {
  const block = draw(16, 8, [[0, 16, 'UNKNOWN']]);
  assert.equal(block.filter((p) => p === 0xff333333).length, (16 * 8 * 3) / 8);
  const columns = draw(16, 8, Array.from({ length: 16 }, (_, i) => [i, i + 1, 'UNKNOWN'] as [number, number, string]));
  assert.deepEqual(columns, block);
});

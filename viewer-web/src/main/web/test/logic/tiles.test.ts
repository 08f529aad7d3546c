import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactRuns, levelFor, TILE_PX, TileCache, tileSpan, type Tile } from '../../src/timeline/tiles';

function tile(from: number, to: number, exact = true): Tile {
  return { from, to, start: Float64Array.of(from), end: Float64Array.of(to), state: Uint8Array.of(3), busy: Uint8Array.of(255), count: Uint32Array.of(exact ? 1 : 5), g: Float64Array.of(1), reason: Int32Array.of(0), exact, bytes: 100 };
}

const soon = () => new Promise((done) => setTimeout(done, 0));

/** A cache over a source that answers at once and notes what it was asked. */
function cache(exact: (from: number) => boolean, maxBytes = 1 << 20) {
  const asked: { lanes: string[]; from: number; to: number }[] = [];
  const tiles = new TileCache(
    async (lanes, from, to) => {
      asked.push({ lanes, from, to });
      return new Map(lanes.map((l) => [l, tile(from, to, exact(from))]));
    },
    () => undefined,
    maxBytes,
  );
  return { tiles, asked };
}

test('a bucket is never wider than a pixel', () => {
  for (const nsPerPx of [0.05, 1, 1.5, 2, 3, 1000, 1e6]) assert.ok(2 ** levelFor(nsPerPx) <= Math.max(1, nsPerPx));
});

test('what a frame misses is asked for once, all lanes together', async () => {
  const { tiles, asked } = cache(() => false);
  tiles.beginFrame();
  const span = tileSpan(3);
  assert.equal(tiles.lookup('p:0', 0, span, 8, 1e9).complete, false);
  tiles.lookup('p:1', 0, span, 8, 1e9);
  tiles.flush();
  tiles.flush();
  assert.deepEqual(asked, [{ lanes: ['p:0', 'p:1'], from: 0, to: span }]);
  await soon();
  tiles.beginFrame();
  const { pieces, complete } = tiles.lookup('p:0', 0, span, 8, 1e9);
  assert.equal(complete, true);
  assert.equal(pieces.length, 1);
});

test('an exact tile serves every deeper zoom without a request', async () => {
  const { tiles, asked } = cache(() => true);
  tiles.beginFrame();
  tiles.lookup('p:0', 0, tileSpan(10), 1024, 1e9);
  tiles.flush();
  await soon();
  tiles.beginFrame();
  const { pieces, complete } = tiles.lookup('p:0', 5000, 5000 + TILE_PX, 1, 1e9);
  tiles.flush();
  assert.equal(complete, true);
  assert.equal(asked.length, 1);
  assert.ok(pieces.every((p) => p.tile.from === 0));
});

test('until the fine tile comes the coarse one stands in, clipped to its place', async () => {
  const { tiles } = cache(() => false);
  tiles.beginFrame();
  tiles.lookup('p:0', 0, tileSpan(4), 16, 1e9);
  tiles.flush();
  await soon();
  tiles.beginFrame();
  const fine = tileSpan(3);
  const { pieces, complete } = tiles.lookup('p:0', fine, 2 * fine, 8, 1e9);
  assert.equal(complete, false);
  assert.deepEqual(pieces.map((p) => [p.from, p.to]), [[fine, 2 * fine]]);
});

test('zooming out shows the finer tiles meanwhile', async () => {
  const { tiles } = cache(() => false);
  tiles.beginFrame();
  tiles.lookup('p:0', 0, 2 * tileSpan(3), 8, 1e9);
  tiles.flush();
  await soon();
  tiles.flush();
  await soon();
  tiles.beginFrame();
  assert.equal(tiles.lookup('p:0', 0, tileSpan(4), 16, 1e9).pieces.length, 2);
});

test('a window that flew by leaves no request behind', () => {
  const { tiles, asked } = cache(() => false);
  tiles.beginFrame();
  tiles.lookup('p:0', 0, 1000, 8, 1e9);
  tiles.beginFrame();
  tiles.lookup('p:0', 5e6, 5e6 + 1000, 8, 1e9);
  tiles.flush();
  assert.equal(asked.length, 1);
  assert.ok(asked[0].from > 4e6);
});

test('the cache forgets the least used first and stays in its bounds', async () => {
  const { tiles } = cache(() => false, 1000);
  for (let i = 0; i < 40; i++) {
    tiles.beginFrame();
    tiles.lookup('p:0', i * tileSpan(3), (i + 1) * tileSpan(3), 8, 1e12);
    tiles.flush();
    await soon();
  }
  assert.ok(tiles.size.bytes <= 1000);
});

test('nothing is asked beyond the end of the trace', () => {
  const { tiles, asked } = cache(() => false);
  tiles.beginFrame();
  tiles.lookup('p:0', -5000, 1e9, 8, 100);
  tiles.flush();
  assert.deepEqual(asked.map((a) => a.from), [0]);
});

test('a span cut by the edge of a tile is one again', () => {
  const [a, b, c] = [tile(0, 100), tile(100, 200), tile(200, 300)];
  c.g[0] = 2;
  const runs = exactRuns([a, b, c].map((t) => ({ tile: t, from: t.from, to: t.to })), 0, 1000);
  assert.deepEqual(runs.map((r) => [r.start, r.end]), [[0, 200], [200, 300]]);
});

test('while one request for some lanes of a tile is answered, the others are not asked again', async () => {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const tiles = new TileCache(
    (lanes, from, to) => {
      asked.push(lanes);
      return new Promise((done) => answers.push(() => done(new Map(lanes.map((l) => [l, tile(from, to, false)])))));
    },
    () => undefined,
    1 << 20,
    2,
    1,
  );
  const frame = () => {
    tiles.beginFrame();
    for (const lane of ['p:0', 'p:1']) tiles.lookup(lane, 0, tileSpan(3), 8, 1e9);
    tiles.flush();
  };
  frame();
  frame();
  assert.deepEqual(asked, [['p:0'], ['p:1']]);
  answers[0]();
  await soon();
  frame();
  assert.equal(asked.length, 2, 'p:1 is still on its way');
});

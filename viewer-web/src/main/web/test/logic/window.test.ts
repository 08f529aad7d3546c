import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIN_NS_PER_PX, TimeWindow } from '../../src/timeline/window';

const close = (a: number, b: number, e = 1e-6) => assert.ok(Math.abs(a - b) <= e * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test('zooming keeps the instant under the mouse', () => {
  const w = TimeWindow.fit(1000, 2000, 500, 1_000_000);
  const before = w.ns(123);
  close(w.zoom(0.5, 123).ns(123), before);
  close(w.zoom(3, 123).ns(123), before);
});

test('x and ns are each other’s inverse', () => {
  const w = TimeWindow.fit(12_345, 99_999, 1234, 1e9);
  close(w.ns(w.x(50_000)), 50_000);
});

test('the zoom has an end both ways', () => {
  const w = TimeWindow.whole(1e9, 1000);
  close(w.zoom(1e-30, 500).nsPerPx, MIN_NS_PER_PX);
  const out = w.zoom(1e6, 500);
  assert.ok(out.start <= 0 && out.end >= 1e9);
});

test('the trace cannot be lost by panning', () => {
  const w = TimeWindow.fit(0, 1000, 1000, 1e6);
  assert.ok(w.pan(-1e9).end > 0);
  assert.ok(w.pan(1e9).start < 1e6);
});

test('a resize keeps the window', () => {
  const w = TimeWindow.fit(1000, 3000, 500, 1e6).resize(800);
  close(w.start, 1000);
  close(w.end, 3000);
});

test('an empty trace has a window all the same', () => {
  const w = TimeWindow.whole(0, 800);
  assert.ok(Number.isFinite(w.nsPerPx) && w.nsPerPx > 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, clockFrom, count, duration, instant, percent, ticks, type Clock } from '../../src/time';

const relative: Clock = { wall: null, mode: 'relative' };

test('durations have three digits and the unit that fits', () => {
  assert.equal(duration(0), '0 ns');
  assert.equal(duration(999), '999 ns');
  assert.equal(duration(1000), '1.00 µs');
  assert.equal(duration(12_345), '12.3 µs');
  assert.equal(duration(999_600), '1.00 ms');
  assert.equal(duration(999_949), '1.00 ms');
  assert.equal(duration(1_234_567_890), '1.23 s');
  assert.equal(duration(90e9), '1 min 30 s');
  assert.equal(duration(119.7e9), '2 min 0 s');
  assert.equal(duration(59.97e9), '1 min 0 s');
  assert.equal(duration(-61e9), '−1 min 1 s');
  assert.equal(duration(NaN), '–');
});

test('an instant has as many digits as the zoom asks for', () => {
  assert.equal(instant(5_000_000, 1_000_000, relative), '5 ms');
  assert.equal(instant(5_100_000, 100_000, relative), '5.1 ms');
  assert.equal(instant(1_500_000_000, 1, relative), '1.500000000 s');
  assert.equal(instant(0, 1000, relative), '0 µs');
});

test('steps of a quarter keep the digits that tell their marks apart', () => {
  const marks = [1e9, 1.25e9, 1.5e9, 1.75e9].map((ns) => instant(ns, 250e6, relative));
  assert.deepEqual(marks, ['1.00 s', '1.25 s', '1.50 s', '1.75 s']);
  assert.equal(instant(2_500, 2_500, relative), '2.5 µs');
  const wall = clockFrom('1794985126000000000')!;
  assert.match(instant(250e6, 250e6, { wall, mode: 'wall' }), /:46\.25$/);
});

test('wall clock keeps the nanoseconds that a double would lose', () => {
  const wall = clockFrom('1794985126643221667')!;
  assert.deepEqual(wall, { ms: 1794985126643, ns: 221667 });
  const text = instant(1, 1, { wall, mode: 'wall' });
  assert.match(text, /^\d\d:\d\d:46\.643221668$/);
  assert.equal(clockFrom('-1'), null);
});

test('ticks are round numbers inside the window', () => {
  const { step, at } = ticks(100, 10_000, 10, 100);
  assert.equal(step, 1000);
  assert.deepEqual(at, [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]);
});

test('ticks of the wall clock are round on that clock', () => {
  const wall = clockFrom('1794985126643221667')!;
  const clock: Clock = { wall, mode: 'wall' };
  for (const nsPerPx of [0.05, 3, 700, 40_000, 3e6, 2e8, 9e9]) {
    const { step, at } = ticks(0, nsPerPx * 1200, nsPerPx, 150, clock);
    assert.ok(at.length >= 3, `${at.length} ticks at ${nsPerPx} ns a pixel`);
    for (const t of at.slice(0, 5)) {
      const text = instant(t, 1, clock);
      const [h, m, s] = text.split(':').map(Number);
      const ns = step < 1e9 ? Math.round(Number(`0.${text.split('.')[1]}`) * 1e9) : (h * 3600 + m * 60 + s) * 1e9;
      assert.equal(ns % step, 0, `${text} at a step of ${step}`);
    }
  }
});

test('counts, bytes and shares', () => {
  assert.equal(count(9999), '9\u202f999');
  assert.equal(count(12_000_000), '12 M');
  assert.equal(count(999_600), '1.0 M');
  assert.equal(count(999_400), '999 k');
  assert.equal(count(99_960), '100 k');
  assert.equal(count(12_345), '12.3 k');
  assert.equal(count(9_960_000), '10 M');
  assert.equal(count(999_600_000), '1.0 G');
  assert.equal(bytes(1536), '1.5 KiB');
  assert.equal(bytes((1 << 20) - 100), '1.0 MiB');
  assert.equal(percent(0.0004), '<0.1 %');
  assert.equal(percent(1), '100 %');
});

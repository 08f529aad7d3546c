import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DARK, LIGHT, parseHex, shade } from '../../src/theme';
import { apart, EYES } from './vision';

const light = (rgb: number[]) => rgb.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a: number[], b: number[]) => {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};

test('names on blocks are legible on every shade of every state, in both themes', () => {
  for (const palette of [LIGHT, DARK]) {
    for (const [state, ink] of Object.entries(palette.ink)) {
      // Only running goroutines and tasks are shaded.
      const shades = state === 'RUNNING' || state === 'ACTIVE' ? 200 : 0;
      for (let g = -1; g < shades; g++) {
        const plain = parseHex(palette.states[state]);
        const ratio = contrast(g < 0 ? plain : shade(plain, g, palette.name === 'light' ? 0 : 255), parseHex(ink));
        assert.ok(ratio >= 4.5, `${state} in ${palette.name}: ${ratio.toFixed(2)}`);
      }
    }
  }
});

/** States that meet on a lane, and what lies between them. IDLE may be close to the background: both are nothing. */
const TOGETHER: Record<string, string[]> = {
  processors: ['RUNNING', 'SYSCALL', 'SCHEDULING', 'IDLE'],
  threads: ['RUNNING', 'SYSCALL', 'SYSCALL_NO_P', 'SCHEDULING', 'SPINNING', 'IDLE'],
  goroutines: ['RUNNING', 'RUNNABLE', 'PREEMPTED', 'SYSCALL', 'SYSCALL_NO_P', 'WAIT_SYNC', 'WAIT_NET', 'WAIT_SLEEP', 'WAIT_GC', 'WAIT_OTHER'],
};

/** Lines that are drawn in one chart or row. */
const CHARTS = [
  ['threads', 'spinning', 'procs'],
  ['globalQueue', 'localQueue'],
  ['heapGoal', 'heapInUse'],
  ['p50', 'p99', 'max'],
];

const pairs = (names: string[]) => names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as [string, string]));

for (const palette of [LIGHT, DARK]) {
  for (const [sight, eye] of Object.entries(EYES)) {
    test(`states that meet on a lane are told apart: ${palette.name}, ${sight}`, () => {
      for (const [lanes, states] of Object.entries(TOGETHER)) {
        for (const [a, b] of pairs(states)) {
          const d = apart(palette.states[a], palette.states[b], eye);
          assert.ok(d >= 5, `${a} and ${b} on lanes of ${lanes}: ${d.toFixed(1)}`);
        }
      }
      for (const state of TOGETHER.goroutines) assert.ok(apart(palette.states[state], palette.background, eye) >= 4, `${state} is not nothing`);
    });

    test(`lines of a chart are told apart: ${palette.name}, ${sight}`, () => {
      for (const [a, b] of CHARTS.flatMap(pairs)) {
        const d = apart(palette.series[a], palette.series[b], eye);
        assert.ok(d >= 12, `${a} and ${b}: ${d.toFixed(1)}`);
      }
    });
  }

  test(`what is unknown is hatched, and no solid colour: ${palette.name}`, () => {
    for (const eye of Object.values(EYES)) assert.ok(apart(palette.states.UNKNOWN, palette.hatch, eye) >= 12);
    const ink = contrast(parseHex(palette.hatch), parseHex(palette.ink.UNKNOWN));
    assert.ok(ink >= 4.5, `names on the stripes: ${ink.toFixed(2)}`);
  });

  test(`lines stand out from the page: ${palette.name}`, () => {
    for (const [name, color] of Object.entries(palette.series)) {
      const ratio = contrast(parseHex(color), parseHex(palette.background));
      assert.ok(ratio >= 3, `${name}: ${ratio.toFixed(2)}`);
    }
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DARK, LIGHT, parseHex, shade } from '../../src/theme';

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

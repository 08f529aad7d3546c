// One colour, one meaning, everywhere: hue says the state, shade says which goroutine.
//
// The hues are a muted Okabe–Ito set, which stay apart for the common kinds of colour blindness; the
// states also differ in lightness (running dark, runnable mid, waiting pale), so that a grey print
// still reads.

export type ThemeName = 'light' | 'dark';

export interface Palette {
  name: ThemeName;
  background: string;
  laneLine: string;
  text: string;
  muted: string;
  grid: string;
  accent: string;
  selection: string;
  states: Record<string, string>;
  /** Ink for a label on a block of this state. */
  ink: Record<string, string>;
  arrows: Record<string, string>;
  heat: [number, number, number][];
}

/** The pale states, whose names step back a little. */
function quiet(ink: string): Record<string, string> {
  return Object.fromEntries(['UNKNOWN', 'WAIT_SYNC', 'WAIT_NET', 'WAIT_SLEEP', 'WAIT_GC', 'WAIT_OTHER', 'IDLE'].map((state) => [state, ink]));
}

export const LIGHT: Palette = {
  name: 'light',
  background: '#ffffff',
  laneLine: '#eef0f3',
  text: '#1c2430',
  muted: '#687384',
  grid: '#e9ecf0',
  accent: '#0b62c4',
  selection: '#0b62c4',
  states: {
    UNKNOWN: '#dfe1e6',
    RUNNABLE: '#eba63f',
    PREEMPTED: '#d9772b',
    RUNNING: '#3878b8',
    SYSCALL: '#9c5b97',
    SYSCALL_NO_P: '#d3aed0',
    WAIT_SYNC: '#d8e0ea',
    WAIT_NET: '#cfe6e4',
    WAIT_SLEEP: '#ebedf1',
    WAIT_GC: '#d9ead2',
    WAIT_OTHER: '#e4e6eb',
    SCHEDULING: '#b9c3d0',
    IDLE: '#f4f5f7',
    SPINNING: '#f3dfa6',
    ACTIVE: '#25806a',
  },
  ink: { RUNNING: '#ffffff', SYSCALL: '#ffffff', ACTIVE: '#ffffff', PREEMPTED: '#2a1600', RUNNABLE: '#2b1c00', SCHEDULING: '#2b3440', SYSCALL_NO_P: '#3a1f38', SPINNING: '#4a3c0c', ...quiet('#4b5666') },
  arrows: { CREATE: '#25806a', WAKE: '#c2410c', STEAL: '#8a3ffc', HANDOFF: '#9c5b97' },
  heat: [
    [247, 248, 250],
    [205, 222, 240],
    [124, 173, 218],
    [52, 120, 186],
    [16, 64, 122],
  ],
};

export const DARK: Palette = {
  name: 'dark',
  background: '#14181f',
  laneLine: '#1e242d',
  text: '#e3e8ef',
  muted: '#93a0b2',
  grid: '#222934',
  accent: '#6cb2ff',
  selection: '#8cc4ff',
  states: {
    UNKNOWN: '#343b46',
    RUNNABLE: '#d9962f',
    PREEMPTED: '#c4652a',
    RUNNING: '#4a90d2',
    SYSCALL: '#b077ab',
    SYSCALL_NO_P: '#6d4f6c',
    WAIT_SYNC: '#2b3646',
    WAIT_NET: '#25403f',
    WAIT_SLEEP: '#242a33',
    WAIT_GC: '#2c4030',
    WAIT_OTHER: '#2a303a',
    SCHEDULING: '#4b586a',
    IDLE: '#191e26',
    SPINNING: '#675a2c',
    ACTIVE: '#37a988',
  },
  ink: { RUNNING: '#04101c', SYSCALL: '#140413', ACTIVE: '#04140f', PREEMPTED: '#1d0e00', RUNNABLE: '#1d1200', SCHEDULING: '#e3e8ef', SYSCALL_NO_P: '#f3e4f2', SPINNING: '#f7edc8', ...quiet('#a9b5c6') },
  arrows: { CREATE: '#4fd1ab', WAKE: '#ff9e6b', STEAL: '#c4a1ff', HANDOFF: '#d9a5d5' },
  heat: [
    [25, 30, 38],
    [30, 54, 82],
    [36, 80, 124],
    [58, 118, 174],
    [120, 178, 228],
  ],
};

/** The theme of the moment: the system's, until the user chooses. */
export const theme = new (class extends EventTarget {
  private system: MediaQueryList | null = null;
  palette: Palette = LIGHT;
  choice: ThemeName | 'system' = 'system';

  start() {
    this.choice = (localStorage.getItem('gmptrace.theme') as ThemeName | null) ?? 'system';
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  toggle() {
    this.choice = this.palette.name === 'light' ? 'dark' : 'light';
    localStorage.setItem('gmptrace.theme', this.choice);
    this.apply();
  }

  private apply() {
    const dark = this.choice === 'system' ? !!this.system?.matches : this.choice === 'dark';
    this.palette = dark ? DARK : LIGHT;
    document.documentElement.dataset.theme = this.palette.name;
    this.dispatchEvent(new Event('change'));
  }
})();

export function parseHex(color: string): [number, number, number] {
  const n = parseInt(color.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** A pixel as ImageData wants it on a little-endian machine. */
export function pixel([r, g, b]: [number, number, number]): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

const SHADES = [0, 0.16, 0.3, 0.08, 0.23, 0.36, 0.12];

/**
 * Neighbouring goroutines get different shades of the state's own colour: away from the ink of the
 * names on them (darker below white, lighter below black), so that every shade is as legible.
 */
export function shade(rgb: [number, number, number], g: number, target: 0 | 255): [number, number, number] {
  const amount = SHADES[hash(g) % SHADES.length];
  return [0, 1, 2].map((i) => Math.round(rgb[i] + (target - rgb[i]) * amount)) as [number, number, number];
}

function hash(n: number): number {
  return Math.imul((n | 0) ^ 0x9e37, 0x85ebca6b) >>> 16;
}

/** Colour of a utilisation between 0 and 1 on the minimap. */
export function heat(stops: [number, number, number][], share: number): [number, number, number] {
  const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1);
  const i = Math.floor(at);
  const f = at - i;
  return [0, 1, 2].map((c) => Math.round(stops[i][c] + (stops[i + 1][c] - stops[i][c]) * f)) as [number, number, number];
}

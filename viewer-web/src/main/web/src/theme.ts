// One colour, one meaning, everywhere: hue says the state, shade says which goroutine.
//
// The hues are a muted Okabe–Ito set. States that can meet on a lane also differ in lightness, so that
// they stay apart for those who see two hues only, and in a grey print; theme.test.ts simulates that.
// What is unknown is hatched: it is the absence of a state, and no colour of its own would be read so.
// Numbers over time have a palette of their own (SERIES), because they are no states.

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
  /** The stripes over what is unknown. */
  hatch: string;
  series: Record<string, string>;
  /** Ink for a label on a block of this state. */
  ink: Record<string, string>;
  arrows: Record<string, string>;
  heat: [number, number, number][];
}

/** Lines of charts and counter rows. Those of one chart stay apart for everybody, too. */
export const SERIES: Record<ThemeName, Record<string, string>> = {
  light: {
    threads: '#475569',
    spinning: '#b07d05',
    procs: '#0891b2',
    globalQueue: '#be185d',
    localQueue: '#0891b2',
    heapGoal: '#8a94a3',
    heapInUse: '#7c4a1e',
    p50: '#0891b2',
    p99: '#b07d05',
    max: '#9d174d',
    utilisation: '#0b6b83',
  },
  dark: {
    threads: '#e2e8f0',
    spinning: '#e5c04b',
    procs: '#22b8d6',
    globalQueue: '#f06ba8',
    localQueue: '#22b8d6',
    heapGoal: '#7b8798',
    heapInUse: '#d9a06b',
    p50: '#22b8d6',
    p99: '#e5c04b',
    max: '#f06ba8',
    utilisation: '#4cc3dc',
  },
};

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
    UNKNOWN: '#f0f1f3',
    RUNNABLE: '#eba63f',
    PREEMPTED: '#c9611c',
    RUNNING: '#3878b8',
    SYSCALL: '#8d4787',
    SYSCALL_NO_P: '#c98ac4',
    WAIT_SYNC: '#bccbe0',
    WAIT_NET: '#86b9b1',
    WAIT_SLEEP: '#e9ecf1',
    WAIT_GC: '#d9ecb6',
    WAIT_OTHER: '#d2cdc3',
    SCHEDULING: '#8b98a8',
    IDLE: '#f1f2f4',
    SPINNING: '#f0d98c',
    ACTIVE: '#25806a',
  },
  hatch: '#b4bac4',
  series: SERIES.light,
  ink: { RUNNING: '#ffffff', SYSCALL: '#ffffff', ACTIVE: '#ffffff', PREEMPTED: '#160700', RUNNABLE: '#2b1c00', SCHEDULING: '#10161d', SYSCALL_NO_P: '#2a1028', SPINNING: '#4a3c0c', ...quiet('#2b3440') },
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
    UNKNOWN: '#1f252e',
    RUNNABLE: '#d9962f',
    PREEMPTED: '#b5531d',
    RUNNING: '#4a90d2',
    SYSCALL: '#bd86b8',
    SYSCALL_NO_P: '#8a4f86',
    WAIT_SYNC: '#33435c',
    WAIT_NET: '#2f6a64',
    WAIT_SLEEP: '#262d38',
    WAIT_GC: '#3d4a22',
    WAIT_OTHER: '#55504a',
    SCHEDULING: '#4f5f70',
    IDLE: '#1d232c',
    SPINNING: '#6f6130',
    ACTIVE: '#37a988',
  },
  hatch: '#4b5563',
  series: SERIES.dark,
  ink: { RUNNING: '#04101c', SYSCALL: '#140413', ACTIVE: '#04140f', PREEMPTED: '#ffffff', RUNNABLE: '#1d1200', SCHEDULING: '#ffffff', SYSCALL_NO_P: '#ffffff', SPINNING: '#fbf4d9', ...quiet('#dbe2eb') },
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
    this.choice = remembered();
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  toggle() {
    this.choice = this.palette.name === 'light' ? 'dark' : 'light';
    remember(this.choice);
    this.apply();
  }

  private apply() {
    const dark = this.choice === 'system' ? !!this.system?.matches : this.choice === 'dark';
    this.palette = dark ? DARK : LIGHT;
    const root = document.documentElement;
    root.dataset.theme = this.palette.name;
    for (const [name, color] of Object.entries(this.palette.states)) root.style.setProperty(`--${name}`, color);
    for (const [name, color] of Object.entries(this.palette.series)) root.style.setProperty(`--series-${name}`, color);
    root.style.setProperty('--hatch', this.palette.hatch);
    this.dispatchEvent(new Event('change'));
  }
})();

// A browser that keeps nothing for this page throws; the choice then lasts as long as the page.
function remembered(): ThemeName | 'system' {
  try {
    const choice = localStorage.getItem('gmptrace.theme');
    return choice === 'light' || choice === 'dark' ? choice : 'system';
  } catch {
    return 'system';
  }
}

function remember(choice: ThemeName | 'system') {
  try {
    localStorage.setItem('gmptrace.theme', choice);
  } catch {
    // See above.
  }
}

/** The colour of a state or of a series, by its name. */
export function colorOf(palette: Palette, name: string): string {
  return palette.states[name] ?? palette.series[name] ?? palette.muted;
}

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

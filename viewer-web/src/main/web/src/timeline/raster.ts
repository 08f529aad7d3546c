// Spans to pixels, without canvas calls: a dense lane has thousands of spans a screen, and writing
// them into an array of pixels is an order of magnitude cheaper than as many fillRects.
//
// A column of pixels shows its piece of time as a stacked bar: how much of it was spent in each
// state, busy states at the bottom. So what is seen zoomed out is a utilisation, not the state that
// happened to be painted last; and a busy state that occurs at all gets at least MIN_BAR pixels, so
// that rare things do not vanish. Spans of two pixels or more are solid blocks with a hair of
// background between neighbours. What is unknown is hatched.

import { firstAfter, type Piece } from './tiles';
import { parseHex, pixel, shade, type Palette } from '../theme';

const MIN_BAR = 2;
const GAP_FROM_PX = 4;
/** A stripe of the hatching comes every so many pixels (a power of two), so many wide. */
const HATCH_EVERY = 8;
const HATCH_WIDE = 3;

export interface StateTable {
  names: string[];
  busy: boolean[];
  running: number;
  /** Bottom to top. */
  order: number[];
}

export function stateTable(states: { name: string; busy: boolean }[]): StateTable {
  const names = states.map((s) => s.name);
  const stack = ['ACTIVE', 'RUNNING', 'SYSCALL', 'PREEMPTED', 'RUNNABLE', 'SYSCALL_NO_P', 'SCHEDULING', 'SPINNING', 'WAIT_GC', 'WAIT_SYNC', 'WAIT_NET', 'WAIT_OTHER', 'WAIT_SLEEP', 'UNKNOWN', 'IDLE'];
  return { names, busy: states.map((s) => s.busy), running: names.indexOf('RUNNING'), order: stack.map((n) => names.indexOf(n)).filter((i) => i >= 0) };
}

/** What must never be averaged away when it is there at all. */
const LOUD = new Set(['ACTIVE', 'RUNNING', 'SYSCALL', 'RUNNABLE', 'PREEMPTED', 'SPINNING']);

export class Raster {
  private readonly colors: Uint32Array;
  private readonly rgb: [number, number, number][];
  private readonly background: number;
  private readonly unknown: number;
  private readonly hatch: number;
  /** Keeps the stripes where they are in time while the strip begins elsewhere. */
  private phase = 0;
  private readonly loud: boolean[];
  private readonly shades = new Map<number, number>();
  private readonly target: 0 | 255;
  private cover = new Float32Array(0);

  constructor(
    private readonly table: StateTable,
    palette: Palette,
  ) {
    this.target = palette.name === 'light' ? 0 : 255;
    this.rgb = table.names.map((n) => parseHex(palette.states[n] ?? palette.background));
    this.colors = Uint32Array.from(this.rgb, pixel);
    this.background = pixel(parseHex(palette.background));
    this.unknown = table.names.indexOf('UNKNOWN');
    this.hatch = pixel(parseHex(palette.hatch));
    this.loud = table.names.map((n) => LOUD.has(n));
  }

  /**
   * Draws pieces into `out` (width × height pixels), time `from` at x = 0.
   *
   * @param shading what tells blocks of one state apart by shade: running ones their goroutine (P and M
   *     lanes), tasks and regions their name
   */
  draw(out: Uint32Array, width: number, height: number, pieces: Piece[], from: number, nsPerPx: number, shading: 'goroutine' | 'reason' | 'none') {
    out.fill(this.background);
    this.phase = Math.floor(from / nsPerPx) % HATCH_EVERY;
    const states = this.table.names.length;
    if (this.cover.length < width * states) this.cover = new Float32Array(width * states);
    const cover = this.cover.fill(0, 0, width * states);
    let lowest = width;
    let highest = -1;
    for (const { tile, from: clipFrom, to: clipTo } of pieces) {
      const first = firstAfter(tile.end, Math.max(from, clipFrom));
      for (let i = first; i < tile.start.length; i++) {
        if (tile.start[i] >= clipTo) break;
        const x0 = (Math.max(tile.start[i], clipFrom) - from) / nsPerPx;
        if (x0 >= width) break;
        const x1 = (Math.min(tile.end[i], clipTo) - from) / nsPerPx;
        const state = tile.state[i];
        if (tile.count[i] === 1 && x1 - x0 >= 2) {
          this.block(out, width, height, x0, x1, state, this.colorOf(state, shading === 'reason' ? tile.reason[i] : shading === 'goroutine' && state === this.table.running ? tile.g[i] : -1), tile.end[i] < clipTo);
          continue;
        }
        const share = tile.count[i] === 1 ? 1 : tile.busy[i] / 255;
        const begin = Math.max(0, x0);
        const end = Math.min(width, x1);
        if (end <= begin) continue;
        const a = Math.floor(begin);
        const b = Math.min(width - 1, Math.floor(end));
        lowest = Math.min(lowest, a);
        highest = Math.max(highest, b);
        for (let x = a; x <= b; x++) {
          const amount = Math.min(end, x + 1) - Math.max(begin, x);
          if (amount <= 0) continue;
          this.add(cover, x * states, state, amount, tile.count[i] === 1 ? -1 : share);
        }
      }
    }
    for (let x = lowest; x <= highest; x++) this.column(out, width, height, x, cover, x * states);
  }

  /** A merged piece says its main state and how much of it was busy; the rest is shared out so. */
  private add(cover: Float32Array, at: number, state: number, amount: number, busy: number) {
    if (busy < 0) {
      cover[at + state] += amount;
    } else if (this.table.busy[state]) {
      cover[at + state] += amount * busy;
    } else {
      cover[at + state] += amount * (1 - busy);
      cover[at + this.table.running] += amount * busy;
    }
  }

  private block(out: Uint32Array, width: number, height: number, x0: number, x1: number, state: number, color: number, ends: boolean) {
    const a = Math.max(0, Math.round(x0));
    let b = Math.min(width, Math.round(x1));
    if (ends && x1 - x0 >= GAP_FROM_PX) b = Math.min(b, Math.round(x1) - 1);
    for (let y = 0; y < height; y++) out.fill(color, y * width + a, y * width + b);
    if (state === this.unknown) for (let x = a; x < b; x++) this.stripes(out, width, x, 0, height);
  }

  private stripes(out: Uint32Array, width: number, x: number, top: number, bottom: number) {
    for (let y = top; y < bottom; y++) if (((x + y + this.phase) & (HATCH_EVERY - 1)) < HATCH_WIDE) out[y * width + x] = this.hatch;
  }

  private column(out: Uint32Array, width: number, height: number, x: number, cover: Float32Array, at: number) {
    let y = height;
    let total = 0;
    for (const state of this.table.order) total += cover[at + state];
    if (total <= 0) return;
    // A column is one pixel of time; less than a whole pixel covered leaves background on top.
    const scale = height / Math.max(1, total);
    for (const state of this.table.order) {
      const share = cover[at + state];
      if (share <= 0) continue;
      let bar = Math.round(share * scale);
      if (bar < MIN_BAR && this.loud[state]) bar = MIN_BAR;
      if (share >= total * 0.98 && total >= 0.98) bar = height;
      const top = Math.max(0, y - bar);
      const color = this.colors[state];
      for (let row = top; row < y; row++) out[row * width + x] = color;
      if (state === this.unknown) this.stripes(out, width, x, top, y);
      y = top;
    }
  }

  /** The shade of the state's colour that belongs to `who`; its plain colour when that is below 0. */
  private colorOf(state: number, who: number): number {
    if (who < 0) return this.colors[state];
    const key = who * this.table.names.length + state;
    let color = this.shades.get(key);
    if (color === undefined) {
      if (this.shades.size > 50_000) this.shades.clear();
      this.shades.set(key, (color = pixel(shade(this.rgb[state], who, this.target))));
    }
    return color;
  }
}

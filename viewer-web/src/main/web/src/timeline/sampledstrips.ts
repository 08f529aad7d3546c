// Rows of counters and of point events: one SampledRow each, drawn into strips like lanes are,
// because paths of thousands of points are too dear to be drawn in every frame.

import { api } from '../api';
import { dot, h } from '../dom';
import { colorOf, theme } from '../theme';
import { bytes, count } from '../time';
import { FONT } from './axis';
import type { Row } from './rows';
import { drawCounters, drawDensity, SampledRow, valueAt } from './sampled';
import type { Strip } from './strips';
import type { View } from './view';

type CounterRow = Extract<Row, { type: 'counter' }>;
export type SampledKind = Extract<Row, { type: 'counter' | 'points' }>;

export class SampledStrips {
  private readonly rows = new Map<string, SampledRow>();
  private readonly greatest = new Map<string, number>();

  constructor(private readonly onArrival: (key: string) => void) {}

  /** Asks for what the window needs. */
  ensure(row: SampledKind, { win, duration }: View) {
    this.of(row).ensure(win.start, win.end, win.width, duration);
  }

  get loading(): boolean {
    return [...this.rows.values()].some((row) => row.loading);
  }

  draw(strip: Strip, row: SampledKind, { win, scale }: View): boolean {
    const data = this.of(row).current;
    const ctx = strip.ctx;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = theme.palette.background;
    ctx.fillRect(0, 0, strip.width, strip.height);
    if (!data) return false;
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    const x = (ns: number) => (ns - strip.from) / (strip.nsPerPx * scale);
    const [width, height] = [strip.width / scale, strip.height / scale];
    if (row.type === 'points') drawDensity(ctx, data, theme.palette.muted, x, width, 0, height);
    else {
      const series = row.series.map((s) => ({ name: s.name, color: colorOf(theme.palette, s.color) }));
      this.greatest.set(row.key, drawCounters(ctx, data, series, row.stacked, x, width, 0, height, [x(win.start), x(win.end)]));
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    return true;
  }

  /** The scale of a counter, on top of its strip: it stays at the left edge while the strip moves. */
  drawScale(ctx: CanvasRenderingContext2D, row: CounterRow, y: number, { win }: View) {
    const max = this.greatest.get(row.key);
    if (max === undefined) return;
    ctx.font = FONT;
    ctx.textBaseline = 'top';
    const text = row.unit === 'bytes' ? bytes(max) : count(max);
    const left = Math.max(0, win.x(0)) + 3;
    ctx.fillStyle = theme.palette.background;
    ctx.globalAlpha = 0.8;
    ctx.fillRect(left, y + 1, ctx.measureText(text).width + 6, 13);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.palette.muted;
    ctx.fillText(text, left + 3, y + 2);
  }

  /** About how many point events lie between two times. */
  countNear(row: Extract<Row, { type: 'points' }>, from: number, to: number): number {
    const data = this.rows.get(row.key)?.current;
    const counts = data?.columns.count;
    if (!data || !counts || to < data.from || from >= data.to) return 0;
    const perNs = data.px / (data.to - data.from);
    let sum = 0;
    for (let i = Math.max(0, Math.floor((from - data.from) * perNs)); i <= Math.min(data.px - 1, Math.floor((to - data.from) * perNs)); i++) sum += counts[i];
    return sum;
  }

  /** What a counter was at an instant, for the tooltip. */
  describe(row: CounterRow, ns: number): Node[] | null {
    const data = this.rows.get(row.key)?.current;
    if (!data) return null;
    const lines = row.series.map((s) => {
      const value = valueAt(data, s.name, ns);
      return h('div', dot(s.color), `${s.label} `, h('span.num', value === null ? '–' : row.unit === 'bytes' ? bytes(value) : count(value)));
    });
    return [h('strong', row.label), ...lines];
  }

  private of(row: SampledKind): SampledRow {
    let sampled = this.rows.get(row.key);
    if (!sampled) {
      const source =
        row.type === 'counter'
          ? (from: number, to: number, px: number, signal: AbortSignal) => api.counters(row.series.map((s) => s.name), from, to, px, signal)
          : (from: number, to: number, px: number, signal: AbortSignal) => api.points(row.kinds, from, to, px, 0, signal);
      this.rows.set(row.key, (sampled = new SampledRow(source, () => this.onArrival(row.key))));
    }
    return sampled;
  }
}

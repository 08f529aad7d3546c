// Rows that are sampled per pixel rather than made of spans: counters (min, max and last of each
// pixel) and densities of point events. One answer covers the window and a margin; while a better
// one is on its way, the old one is drawn where it fits.

export interface Sampled {
  from: number;
  to: number;
  px: number;
  columns: Record<string, Float64Array>;
}

type Source = (from: number, to: number, px: number, signal: AbortSignal) => Promise<Record<string, Float64Array>>;

const MARGIN = 0.5;

export class SampledRow {
  current: Sampled | null = null;
  loading = false;
  private notBefore = 0;

  constructor(
    private readonly source: Source,
    private readonly onArrival: () => void,
  ) {}

  /** Sees to it that the window is covered at about its own resolution. */
  ensure(from: number, to: number, px: number, duration: number) {
    const have = this.current;
    const wanted = (to - from) / px;
    const lo = Math.max(0, from);
    const hi = Math.min(duration, to);
    if (hi <= lo || this.loading || performance.now() < this.notBefore) return;
    if (have && have.from <= lo && have.to >= hi) {
      const resolution = (have.to - have.from) / have.px;
      if (resolution <= wanted * 1.5 && resolution >= wanted / 3) return;
      if (resolution <= 1) return;
    }
    const margin = (to - from) * MARGIN;
    const a = Math.max(0, Math.floor(from - margin));
    const b = Math.min(duration, Math.ceil(to + margin));
    const pixels = Math.max(1, Math.min(4096, Math.round((b - a) / wanted), b - a));
    this.loading = true;
    this.source(a, b, pixels, new AbortController().signal)
      .then((columns) => {
        this.current = { from: a, to: b, px: pixels, columns };
      })
      .catch(() => {
        this.notBefore = performance.now() + 1000;
        setTimeout(this.onArrival, 1100);
      })
      .finally(() => {
        this.loading = false;
        this.onArrival();
      });
  }
}

/**
 * Draws a line with its min–max band, or a stack of areas, of counters into a row; says what its
 * height stands for: the greatest value between the two `visible` places.
 */
export function drawCounters(
  ctx: CanvasRenderingContext2D,
  data: Sampled,
  series: { name: string; color: string }[],
  stacked: boolean,
  x: (ns: number) => number,
  width: number,
  y: number,
  height: number,
  visible: [number, number] = [0, width],
): number {
  const step = (data.to - data.from) / data.px;
  const first = Math.max(0, Math.floor((nsAt(x, 0, data) - data.from) / step) - 1);
  const last = Math.min(data.px - 1, Math.ceil((nsAt(x, width, data) - data.from) / step) + 1);
  if (last < first) return 0;
  const clamp = (px: number) => Math.min(last, Math.max(first, Math.floor((nsAt(x, px, data) - data.from) / step)));
  const max = maximum(data, series, stacked, clamp(visible[0]), clamp(visible[1]));
  const scale = (height - 6) / Math.max(max, 1e-9);
  const bottom = y + height - 1;
  const base = stacked ? new Float64Array(last - first + 1) : null;
  for (const { name, color } of series) {
    const values = data.columns[`${name}.max`];
    const mins = data.columns[`${name}.min`];
    if (!values) continue;
    ctx.beginPath();
    ctx.moveTo(x(data.from + first * step), bottom - (base ? base[0] * scale : 0));
    for (let i = first; i <= last; i++) {
      const value = values[i] + (base ? base[i - first] : 0);
      const top = bottom - value * scale;
      const left = x(data.from + i * step);
      ctx.lineTo(left, top);
      ctx.lineTo(x(data.from + (i + 1) * step), top);
    }
    if (base) {
      for (let i = last; i >= first; i--) {
        const top = bottom - base[i - first] * scale;
        ctx.lineTo(x(data.from + (i + 1) * step), top);
        ctx.lineTo(x(data.from + i * step), top);
      }
      ctx.fillStyle = color;
      ctx.globalAlpha = 0.85;
      ctx.fill();
      for (let i = first; i <= last; i++) base[i - first] += values[i];
    } else {
      ctx.strokeStyle = color;
      ctx.lineWidth = 1.25;
      ctx.stroke();
      ctx.lineTo(x(data.from + (last + 1) * step), bottom);
      for (let i = last; i >= first && mins; i--) {
        const low = bottom - mins[i] * scale;
        ctx.lineTo(x(data.from + (i + 1) * step), low);
        ctx.lineTo(x(data.from + i * step), low);
      }
      ctx.fillStyle = color;
      ctx.globalAlpha = 0.18;
      ctx.fill();
    }
    ctx.globalAlpha = 1;
  }
  return max;
}

/** Draws how many point events fell on each pixel as ticks whose height is the (log) number. */
export function drawDensity(ctx: CanvasRenderingContext2D, data: Sampled, color: string, x: (ns: number) => number, width: number, y: number, height: number) {
  const counts = data.columns.count;
  if (!counts) return;
  const step = (data.to - data.from) / data.px;
  let max = 1;
  for (let i = 0; i < counts.length; i++) if (counts[i] > max) max = counts[i];
  ctx.fillStyle = color;
  for (let i = 0; i < counts.length; i++) {
    if (!counts[i]) continue;
    const left = x(data.from + i * step);
    const right = x(data.from + (i + 1) * step);
    if (right < 0 || left > width) continue;
    const h = Math.max(4, (Math.log2(1 + counts[i]) / Math.log2(1 + max)) * (height - 4));
    ctx.fillRect(left, y + height - 2 - h, Math.max(1, Math.min(right - left, 2)), h);
  }
}

function nsAt(x: (ns: number) => number, px: number, data: Sampled): number {
  const x0 = x(data.from);
  const perNs = (x(data.to) - x0) / (data.to - data.from);
  return data.from + (px - x0) / perNs;
}

function maximum(data: Sampled, series: { name: string }[], stacked: boolean, first: number, last: number): number {
  let max = 0;
  for (let i = first; i <= last; i++) {
    let sum = 0;
    for (const { name } of series) {
      const value = data.columns[`${name}.max`]?.[i] ?? 0;
      sum = stacked ? sum + value : Math.max(sum, value);
    }
    if (sum > max) max = sum;
  }
  return max;
}

export function valueAt(data: Sampled, name: string, ns: number): number | null {
  const values = data.columns[`${name}.last`];
  if (!values || ns < data.from || ns >= data.to) return null;
  return values[Math.min(values.length - 1, Math.floor(((ns - data.from) / (data.to - data.from)) * data.px))];
}

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Latency } from '../answers';
import { h, svg } from '../dom';
import { count, duration, percent } from '../time';
import { theme } from '../theme';

/** A histogram of durations: bars over a logarithmic axis, with the percentiles named. */
export function histogram(latency: Latency, options: { height?: number; label: string; onRange?: (from: number, to: number) => void }): HTMLElement {
  const buckets = latency.histogram;
  if (!latency.count || !buckets.length) return h('p.muted', 'No samples.');
  const height = options.height ?? 74;
  const low = Math.log2(Math.max(1, buckets[0].from));
  const high = Math.log2(Math.max(2, buckets[buckets.length - 1].to));
  const x = (ns: number) => ((Math.log2(Math.max(1, ns)) - low) / Math.max(0.001, high - low)) * 100;
  const max = Math.max(...buckets.map((b) => b.count));
  const bars = buckets.map((b) => {
    // A root scale keeps the rare, slow samples visible beside the many fast ones.
    const tall = Math.max(1.5, Math.sqrt(b.count / max) * (height - 14));
    const left = x(b.from);
    const bar = svg('rect', { x: left.toFixed(2), y: (height - tall).toFixed(1), width: Math.max(0.3, x(b.to) - left - 0.25).toFixed(2), height: tall.toFixed(1), class: 'hist-bar' }, svg('title', {}, `${count(b.count)} between ${duration(b.from)} and ${duration(b.to)}`));
    if (options.onRange) {
      bar.classList.add('link');
      bar.addEventListener('click', () => options.onRange!(b.from, b.to));
    }
    return bar;
  });
  const marks = (
    [
      ['p50', latency.p50],
      ['p99', latency.p99],
    ] as [string, number][]
  ).map(([name, value]) => h('span.hist-mark', { style: `left:${Math.min(100, x(value)).toFixed(2)}%;height:${height}px`, class: x(value) > 88 ? 'left' : '' }, h('span', name)));
  return h(
    'figure.histogram',
    { role: 'img', 'aria-label': `${options.label}: median ${duration(latency.p50)}, 99 % below ${duration(latency.p99)}, longest ${duration(latency.max)}` },
    svg('svg', { viewBox: `0 0 100 ${height}`, width: '100%', height, preserveAspectRatio: 'none' }, ...bars),
    ...marks,
    h('div.hist-axis', h('span', duration(buckets[0].from)), h('span', duration(buckets[buckets.length - 1].to))),
  );
}

export function latencyLine(latency: Latency): HTMLElement {
  return h(
    'dl.figures',
    ...(
      [
        ['count', count(latency.count)],
        ['p50', duration(latency.p50)],
        ['p90', duration(latency.p90)],
        ['p99', duration(latency.p99)],
        ['max', duration(latency.max)],
        ['total', duration(latency.total)],
      ] as [string, string][]
    ).flatMap(([k, v]) => [h('div', h('dt', k), h('dd.num', v))]),
  );
}

/** A stacked bar of shares, each with its state's colour. */
export function stackedBar(parts: { state: string; label: string; value: number }[], total?: number): HTMLElement {
  const sum = total ?? parts.reduce((s, p) => s + p.value, 0);
  return h(
    'div.stacked',
    { role: 'img', 'aria-label': parts.filter((p) => p.value > 0).map((p) => `${p.label} ${percent(p.value / sum)}`).join(', ') },
    ...parts.filter((p) => p.value > 0).map((p) => h(`span.c-${p.state}`, { style: `width:${((p.value / sum) * 100).toFixed(2)}%`, title: `${p.label}: ${duration(p.value)} (${percent(p.value / sum)})` })),
  );
}

export interface PlotSeries {
  label: string;
  /** A name of the palette's series, or of a state when the numbers are about that state. */
  color: string;
  values: (number | null)[];
  fill?: boolean;
}

/** Values with a gap on both sides: no line reaches them, so they are drawn as points. */
export function alone(values: (number | null)[]): number[] {
  return values.flatMap((v, i) => (v !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null ? [i] : []));
}

/** A line chart over time or windows; follows the theme and its own width. */
export function plot(options: { x: number[]; series: PlotSeries[]; height?: number; logX?: boolean; logY?: boolean; xText: (v: number, step: number) => string; yText: (v: number) => string; label: string; onSelect?: (from: number, to: number) => void; yRange?: [number, number] }): HTMLElement {
  const box = h('div.plot', { role: 'img', 'aria-label': options.label });
  let chart: uPlot | null = null;
  const draw = () => {
    if (!box.isConnected || box.clientWidth < 10) return;
    chart?.destroy();
    const { palette } = theme;
    // On a logarithmic axis lines for 2, 3, 4 … of every power would run together to a grey band.
    const onlyPowers = (_u: uPlot, splits: number[]) => splits.map((v) => (v > 0 && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null));
    const lines = (log: boolean | undefined) => ({ stroke: palette.grid, width: 1, ...(log ? { filter: onlyPowers } : {}) });
    const axis = { stroke: palette.muted, font: '11px system-ui, "Liberation Sans", sans-serif' };
    chart = new uPlot(
      {
        width: box.clientWidth,
        height: options.height ?? 200,
        scales: { x: { time: false, distr: options.logX ? 3 : 1 }, y: { distr: options.logY ? 3 : 1, ...(options.yRange ? { range: options.yRange } : options.logY ? {} : { range: (_u: uPlot, _low: number, high: number) => [0, Math.max(high * 1.08, 1)] as [number, number] }) } },
        cursor: { drag: { x: !!options.onSelect, y: false, setScale: false }, points: { size: 6 } },
        legend: { live: true },
        axes: [
          { ...axis, grid: lines(options.logX), ticks: lines(options.logX), values: (_u, v) => v.map((n) => (n === null ? '' : options.xText(n, v.length > 1 ? v[1] - v[0] : 1))), space: 80 },
          { ...axis, grid: lines(options.logY), ticks: lines(options.logY), values: (_u, v) => v.map((n) => (n === null ? '' : options.yText(n))), size: 64 },
        ],
        series: [
          { label: 'at', value: (u, v) => (v === null ? '–' : options.xText(v, (u.scales.x.max! - u.scales.x.min!) / 1000)) },
          ...options.series.map((s) => {
            const color = palette.series[s.color] ?? palette.states[s.color] ?? palette.accent;
            return { label: s.label, stroke: color, width: 1.5, points: { show: true, size: 4, width: 1, stroke: color, fill: color, filter: (_u: uPlot, _i: number, _show: boolean) => alone(s.values) }, fill: s.fill ? `${color}33` : undefined, value: (_u: uPlot, v: number | null) => (v === null ? '–' : options.yText(v)) };
          }),
        ],
        hooks: {
          setSelect: [
            (u) => {
              if (!options.onSelect || u.select.width < 3) return;
              options.onSelect(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      [options.x, ...options.series.map((s) => s.values)] as uPlot.AlignedData,
      box,
    );
  };
  new ResizeObserver(draw).observe(box);
  theme.addEventListener('change', draw);
  return box;
}

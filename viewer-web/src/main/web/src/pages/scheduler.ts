import { api } from '../api';
import { app } from '../app';
import { h } from '../dom';
import { count, duration, instant, percent } from '../time';
import { heat, theme } from '../theme';
import { histogram, latencyLine, plot } from '../widgets/charts';
import { card, loadingPage, rangeNote, rangeParams, recorded } from './page';
import type { Page } from './pages';

const POINTS = 240;

/** How the scheduler did: latency over time, queues, who steals from whom, hand-offs, spinning. */
export function schedulerPage(): Page {
  return loadingPage({
    className: 'scheduler',
    key: () => JSON.stringify([app.state.range, app.state.clock]),
    async load(signal) {
      const window = rangeParams();
      const from = window.from ?? 0;
      const to = window.to ?? app.info.durationNs;
      const has = (name: string) => app.info.counters.some((c) => c.name === name && c.max > 0);
      const names = ['queue.global', 'queue.local', 'g.runnable', 'g.running', 'm.total', 'm.spinning', 'p.running', 'heap.alloc'].filter(has);
      const [s, counters] = await Promise.all([api.scheduler(window, 60, signal), names.length ? api.counters(names, from, to, Math.min(POINTS, Math.max(1, to - from)), signal) : null]);
      const xs = counters ? Array.from({ length: counters.meta.px as number }, (_, i) => from + ((i + 0.5) * (to - from)) / counters.meta.px) : [];
      const series = (list: [string, string, string][]) => list.filter(([n]) => names.includes(n)).map(([name, label, color]) => ({ label, color, values: Array.from(counters![`${name}.max`] as Float64Array) }));
      const xText = (ns: number, step: number) => instant(ns, step, app.clock);
      const chart = (title: string, list: [string, string, string][]) => {
        const lines = series(list);
        return lines.length ? card(title, plot({ x: xs, series: lines, xText, yText: count, label: title, onSelect: show, height: 170 })) : null;
      };
      return [
        rangeNote(),
        h('div.grid.three', card('From runnable to running', histogram(s.schedLatency, { label: 'Scheduling latency' }), latencyLine(s.schedLatency)), card('In figures', figures(s)), card('Who stole from whom', stealMatrix(s.steals))),
        card(
          'Scheduling latency over time',
          h('p.muted', 'Drag over any chart to see that piece on the timeline.'),
          plot({
            x: s.latency.at,
            series: [
              { label: 'p50', color: 'p50', values: s.latency.p50.map(zeroAsGap) },
              { label: 'p99', color: 'p99', values: s.latency.p99.map(zeroAsGap) },
              { label: 'max', color: 'max', values: s.latency.max.map(zeroAsGap) },
            ],
            logY: true,
            xText,
            yText: duration,
            label: 'Scheduling latency over time',
            onSelect: show,
          }),
        ),
        h(
          'div.grid',
          chart('Run queues (longest in each pixel)', [
            ['queue.global', 'global', 'globalQueue'],
            ['queue.local', 'local, all Ps', 'localQueue'],
            ['g.runnable', 'runnable goroutines', 'RUNNABLE'],
          ]),
          chart('Threads and processors', [
            ['m.total', 'threads', 'threads'],
            ['m.spinning', 'spinning', 'spinning'],
            ['p.running', 'Ps at work', 'procs'],
          ]),
        ),
      ];
    },
  });
}

const zeroAsGap = (n: number) => (n > 0 ? n : null);

function show(from: number, to: number) {
  app.go({ page: 'timeline', view: 'p', window: app.around(from, to, 0.1), range: [Math.round(from), Math.round(to)], span: null });
}

function figures(s: any): HTMLElement {
  const list: [string, string][] = [
    ['utilisation of the Ps', percent(s.utilisation)],
    ['wake-ups', count(s.wakes)],
    ['steals', recorded(count(s.stealCount))],
    ['goroutines stolen', recorded(count(s.stolen))],
    ['hand-offs', count(s.handoffs)],
    ['preemptions', count(s.preemptions)],
    ['syscalls', count(s.syscalls)],
    ['created', count(s.created)],
    ['ended', count(s.ended)],
  ];
  return h('dl.figures', ...list.map(([k, v]) => h('div', h('dt', k), h('dd.num', v))));
}

function stealMatrix(steals: { procs: number[]; count: number[][] }): HTMLElement {
  const { procs, count: cells } = steals;
  const max = Math.max(0, ...cells.flat());
  if (!max) return h('p.muted', app.info.format === 'go' ? 'Go traces do not record steals between run queues.' : 'Nobody stole.');
  const color = (n: number) => {
    const [r, g, b] = heat(theme.palette.heat, Math.sqrt(n / max));
    return `rgb(${r},${g},${b})`;
  };
  return h(
    'table.matrix',
    { 'aria-label': 'Goroutines stolen, thief by victim' },
    h('caption', 'rows: thief · columns: victim'),
    h('tr', h('th'), ...procs.map((p) => h('th', { scope: 'col' }, `P${p}`))),
    ...procs.map((p, i) => h('tr', h('th', { scope: 'row' }, `P${p}`), ...procs.map((q, j) => h('td', { style: `background:${color(cells[i][j])};${cells[i][j] > max * 0.3 ? `color:${theme.palette.background}` : ''}`, title: `P${p} took ${cells[i][j]} from P${q}` }, procs.length <= 12 && cells[i][j] ? count(cells[i][j]) : '')))),
  );
}


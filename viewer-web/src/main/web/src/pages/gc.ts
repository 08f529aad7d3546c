import { api } from '../api';
import { app } from '../app';
import { h } from '../dom';
import { instantLink, rangeLink } from '../links';
import { bytes, count, duration, instant, percent } from '../time';
import { plot } from '../widgets/charts';
import { table } from '../widgets/table';
import { card, loadingPage } from './page';
import type { Page } from './pages';

const FLAGS: [string, string][] = [
  ['stw', 'stopped world'],
  ['background', 'background marking'],
  ['assist', 'mark assists'],
  ['sweep', 'sweeping'],
];

/** Collections, pauses, the heap, and the minimum mutator utilisation: how little of any window was left to the program. */
export function gcPage(): Page {
  return loadingPage({
    className: 'gc',
    key: () => JSON.stringify([app.state.params, app.state.clock]),
    async load() {
      const off = (app.state.params.off ?? '').split(',').filter(Boolean);
      const flags = Object.fromEntries(FLAGS.map(([f]) => [f, off.includes(f) ? 'no' : 'yes']));
      const { durationNs, counters } = app.info;
      const heapNames = ['heap.alloc', 'heap.goal'].filter((n) => counters.some((c) => c.name === n && c.max > 0));
      const [ranges, mmu, heap] = await Promise.all([api.ranges({}, '', 5000), api.mmu(flags), heapNames.length ? api.counters(heapNames, 0, durationNs, Math.min(500, durationNs)) : null]);
      if (!ranges.ranges.length) return [card('Garbage collection', h('p', 'No collection happened while this trace was recorded.'))];
      const pauses = ranges.ranges.filter((r) => /stop|pause/i.test(r.name));
      const longest = [...pauses].sort((a, b) => b.end - b.start - (a.end - a.start));
      const xs = heap ? Array.from({ length: heap.meta.px as number }, (_, i) => ((i + 0.5) * durationNs) / heap.meta.px) : [];
      return [
        h(
          'div.grid',
          card(
            'Minimum mutator utilisation',
            h('p.muted', 'In the worst window of this length, this share of the processors was left to the program.'),
            h('p.filters', ...FLAGS.map(([flag, name]) => h('label', h('input', { type: 'checkbox', checked: !off.includes(flag), onchange: () => app.go({ params: { ...app.state.params, off: (off.includes(flag) ? off.filter((f) => f !== flag) : [...off, flag]).join(',') } }, 'replace') }), ` ${name}`))),
            plot({ x: mmu.windowNs, series: [{ label: 'utilisation', color: 'RUNNING', values: mmu.utilisation, fill: true }], logX: true, xText: duration, yText: (v) => percent(v), label: 'Minimum mutator utilisation by window length', yRange: [0, 1] }),
          ),
          heap ? card('Heap', plot({ x: xs, series: heapNames.map((n) => ({ label: n === 'heap.goal' ? 'goal' : 'in use', color: n === 'heap.goal' ? 'SYSCALL' : 'ACTIVE', values: Array.from(heap[`${n}.max`] as Float64Array), fill: n === 'heap.alloc' })), xText: (ns, step) => instant(ns, step, app.clock), yText: bytes, label: 'Heap over time', onSelect: (from, to) => app.go({ page: 'timeline', window: [from, to], range: [Math.round(from), Math.round(to)], span: null }) })) : h('span'),
        ),
        mmu.worst.length
          ? card(
              `Worst windows of ${duration(mmu.worstWindowNs)}`,
              table<any>(
                [
                  { label: 'From', cell: (w) => instantLink(w.from), sort: (w) => w.from },
                  { label: 'Left to the program', numeric: true, cell: (w) => percent(w.utilisation), sort: (w) => w.utilisation },
                  { label: '', cell: (w) => rangeLink(w.from, w.to, 'show on the timeline') },
                ],
                mmu.worst,
                { label: 'Worst windows', sortBy: 1, descending: false },
              ),
            )
          : h('span'),
        card('Pauses', h('dl.figures', h('div', h('dt', 'pauses'), h('dd.num', count(pauses.length))), h('div', h('dt', 'longest'), h('dd.num', longest.length ? duration(longest[0].end - longest[0].start) : '–')), h('div', h('dt', 'together'), h('dd.num', duration(pauses.reduce((s, r) => s + r.end - r.start, 0)))))),
        card(
          'Collections, pauses, assists',
          table(
            [
              { label: 'What', cell: (r) => r.name, sort: (r) => r.name },
              { label: 'Where', cell: (r) => (r.lane ? r.lane.replace(':', '').toUpperCase() : 'everywhere'), sort: (r) => r.lane ?? '' },
              { label: 'Began', numeric: true, cell: (r) => instantLink(r.start), sort: (r) => r.start },
              { label: 'Duration', numeric: true, cell: (r) => rangeLink(r.start, r.end, duration(r.end - r.start)), sort: (r) => r.end - r.start },
            ],
            ranges.ranges,
            { label: 'Collections, pauses, assists', sortBy: 3 },
          ),
        ),
      ];
    },
  });
}

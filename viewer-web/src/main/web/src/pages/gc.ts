import { api } from '../api';
import { app } from '../app';
import { h } from '../dom';
import { instantLink, rangeLink } from '../links';
import { bytes, count, duration, instant, percent } from '../time';
import { plot } from '../widgets/charts';
import { table } from '../widgets/table';
import { card, loadingPage, rangeNote, rangeParams, serverOrder } from './page';
import type { Page } from './pages';

const LIMIT = 1000;
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
    key: () => JSON.stringify([app.state.params, app.state.range, app.state.clock]),
    async load(signal) {
      const off = (app.state.params.off ?? '').split(',').filter(Boolean);
      const flags = Object.fromEntries(FLAGS.map(([f]) => [f, off.includes(f) ? 'no' : 'yes']));
      const { counters } = app.info;
      const window = rangeParams();
      const from = window.from ?? 0;
      const to = Math.min(window.to ?? app.info.durationNs, app.info.durationNs);
      const list = serverOrder(0, 'DURATION', true);
      const heapNames = ['heap.alloc', 'heap.goal'].filter((n) => counters.some((c) => c.name === n && c.max > 0));
      const [ranges, mmu, heap] = await Promise.all([api.ranges(window, { order: list.order, desc: list.descending ? 'yes' : 'no', limit: LIMIT }, signal), api.mmu({ ...flags, ...window }, signal), heapNames.length ? api.counters(heapNames, from, to, Math.max(1, Math.min(500, to - from)), signal) : null]);
      if (!ranges.total) return [rangeNote(), card('Garbage collection', h('p', app.state.range ? 'No collection happened in the selected range.' : 'No collection happened while this trace was recorded.'))];
      const pauses = ranges.sums.filter((s) => s.name.startsWith('stop-the-world'));
      const sum = (get: (s: (typeof pauses)[0]) => number) => pauses.reduce((n, s) => n + get(s), 0);
      const xs = heap ? Array.from({ length: heap.meta.px as number }, (_, i) => from + ((i + 0.5) * (to - from)) / heap.meta.px) : [];
      return [
        rangeNote(),
        h(
          'div.grid',
          card(
            'Minimum mutator utilisation',
            h('p.muted', 'In the worst window of this length, this share of the processors was left to the program.'),
            h('p.filters', ...FLAGS.map(([flag, name]) => h('label', h('input', { type: 'checkbox', checked: !off.includes(flag), onchange: () => app.go({ params: { ...app.state.params, off: (off.includes(flag) ? off.filter((f) => f !== flag) : [...off, flag]).join(',') } }, 'replace') }), ` ${name}`))),
            plot({ x: mmu.windowNs, series: [{ label: 'utilisation', color: 'utilisation', values: mmu.utilisation, fill: true }], logX: true, xText: duration, yText: (v) => percent(v), label: 'Minimum mutator utilisation by window length', yRange: [0, 1] }),
          ),
          heap ? card('Heap', plot({ x: xs, series: heapNames.map((n) => ({ label: n === 'heap.goal' ? 'goal' : 'in use', color: n === 'heap.goal' ? 'heapGoal' : 'heapInUse', values: Array.from(heap[`${n}.max`] as Float64Array), fill: n === 'heap.alloc' })), xText: (ns, step) => instant(ns, step, app.clock), yText: bytes, label: 'Heap over time', onSelect: (from, to) => app.go({ page: 'timeline', window: [from, to], range: [Math.round(from), Math.round(to)], span: null }) })) : h('span'),
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
        card('Pauses', h('dl.figures', h('div', h('dt', 'pauses'), h('dd.num', count(sum((s) => s.count)))), h('div', h('dt', 'longest'), h('dd.num', pauses.length ? duration(Math.max(...pauses.map((s) => s.longestNs))) : '–')), h('div', h('dt', 'together'), h('dd.num', duration(sum((s) => s.inWindowNs)))))),
        card(
          'Collections, pauses, assists',
          table(
            [
              { label: 'What', cell: (r) => r.name, sort: (r) => r.name, order: 'NAME' },
              { label: 'Where', cell: (r) => (r.lane ? r.lane.replace(':', '').toUpperCase() : 'everywhere'), sort: (r) => r.lane ?? '' },
              { label: 'Began', numeric: true, cell: (r) => instantLink(r.start), sort: (r) => r.start, order: 'START' },
              { label: 'Duration', numeric: true, cell: (r) => rangeLink(r.start, r.end, duration(r.end - r.start)), sort: (r) => r.end - r.start, order: 'DURATION' },
            ],
            ranges.ranges,
            { label: 'Collections, pauses, assists', sortBy: 3, firstOf: { ...list, total: ranges.total } },
          ),
        ),
      ];
    },
  });
}

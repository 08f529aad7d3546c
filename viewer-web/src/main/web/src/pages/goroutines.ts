import { api } from '../api';
import { app } from '../app';
import { debounce, h } from '../dom';
import { goroutineLink, instantLink } from '../links';
import { count, duration, percent } from '../time';
import { histogram, latencyLine, stackedBar } from '../widgets/charts';
import { table, type ColumnSpec } from '../widgets/table';
import { card, loadingPage, rangeNote, rangeParams, serverOrder } from './page';
import type { Page } from './pages';

/** Groups by start function with percentiles; then the goroutines of one group; then one goroutine. */
export function goroutinesPage(): Page {
  const filter = h('input', { type: 'search', placeholder: 'Filter by function, id or label', 'aria-label': 'Filter goroutines' });
  const reason = h('select', { 'aria-label': 'Waited for', onchange: () => set('reason', reason.value) }, h('option', { value: '' }, 'waited for anything'));
  const set = (key: string, value: string) => app.go({ params: { ...app.state.params, [key]: value } }, 'replace');
  filter.addEventListener('input', debounce(250, () => set('text', filter.value)));
  const reasons = async (signal: AbortSignal) => {
    if (reason.options.length > 1) return;
    const stats = await api.stats({}, signal);
    if (reason.options.length > 1) return;
    reason.append(...stats.reasons.filter((r: any) => r.reason).map((r: any) => h('option', { value: r.reason }, `waited for: ${r.reason}`)));
    reason.value = app.state.params.reason ?? '';
  };

  async function content(signal: AbortSignal): Promise<(Node | null)[]> {
    const { group, g, text, reason: why } = app.state.params;
    const window = rangeParams();
    const common: Record<string, string> = { text: text ?? '', reason: why ?? '', ...(window.from !== undefined ? { from: String(window.from), to: String(window.to) } : {}) };
    if (g) return [rangeNote('when it began and whom it created is of its whole life'), ...onePanel(await api.goroutine(Number(g), window, signal))];
    if (group !== undefined) {
      const { order, descending } = serverOrder(0, 'RUNNING', true);
      return [rangeNote(), ...groupPanel(group, await api.goroutines({ ...common, group }, signal), await api.goroutineList({ ...common, group, order, desc: descending ? 'yes' : 'no', limit: '300' }, signal))];
    }
    return [rangeNote(), groupTable((await api.goroutines(common, signal)).groups)];
  }

  return loadingPage({
    className: 'goroutines',
    key: () => JSON.stringify([app.state.params, app.state.range, app.state.clock]),
    head: [h('div.filters', filter, reason)],
    sync() {
      if (document.activeElement !== filter) filter.value = app.state.params.text ?? '';
      if (document.activeElement !== reason) reason.value = app.state.params.reason ?? '';
    },
    load: async (signal) => (await Promise.all([content(signal), reasons(signal)]))[0],
  });
}

function shares(row: any) {
  return [
    { state: 'RUNNING', label: 'running', value: row.running },
    { state: 'RUNNABLE', label: 'runnable', value: row.runnable },
    { state: 'SYSCALL', label: 'syscall', value: row.syscall },
    { state: 'WAIT_SYNC', label: 'waiting', value: row.waiting },
    { state: 'UNKNOWN', label: 'unknown', value: row.unknown ?? 0 },
  ];
}

function groupTable(groups: any[]): HTMLElement {
  const time = (label: string, get: (g: any) => number, title: string): ColumnSpec<any> => ({ label, numeric: true, title, cell: (g) => duration(get(g)), sort: get });
  return card(
    'Goroutines by start function',
    table<any>(
      [
        { label: 'Start function', cell: (g) => h('a', { href: app.link({ params: { ...app.state.params, group: g.name } }), title: g.name }, g.name || '(unknown)'), sort: (g) => g.name },
        { label: 'Count', numeric: true, cell: (g) => count(g.count), sort: (g) => g.count },
        { label: 'Where the time went', cell: (g) => stackedBar(shares(g)) },
        time('Running', (g) => g.running, 'Total time on a processor'),
        time('p50', (g) => g.execution.p50, 'Running time of one goroutine, median'),
        time('p99', (g) => g.execution.p99, 'Running time of one goroutine, 99th percentile'),
        time('max', (g) => g.execution.max, 'Running time of one goroutine, longest'),
        time('Runnable', (g) => g.runnable, 'Total time waiting for a processor'),
        time('p99', (g) => g.schedWait.p99, 'Time waiting for a processor of one goroutine, 99th percentile'),
        time('Waiting', (g) => g.waiting, 'Total time blocked'),
        time('Syscall', (g) => g.syscall, 'Total time in system calls'),
      ],
      groups,
      { label: 'Goroutines by start function', sortBy: 3, onRow: (g) => app.go({ params: { ...app.state.params, group: g.name } }) },
    ),
  );
}

function groupPanel(name: string, report: any, list: any): Node[] {
  const g = report.groups[0];
  const back = h('p', h('a', { href: app.link({ params: {} }) }, '← All groups'));
  if (!g) return [back, h('p.muted', 'No goroutine matches.')];
  const reasons = g.reasons as { reason: string; count: number; total: number; p50: number; p99: number; max: number }[];
  return [
    back,
    h('h1', name || '(unknown start function)'),
    h('p', `${count(g.count)} goroutines. `, h('a', { href: app.link({ page: 'timeline', view: 'g', filter: { group: name }, window: null, span: null }) }, 'Show them on the timeline')),
    h(
      'div.grid.three',
      card('Running time of a goroutine', histogram(g.execution, { label: 'Running time' }), latencyLine(g.execution)),
      card('Waiting for a processor', histogram(g.schedWait, { label: 'Runnable time' }), latencyLine(g.schedWait)),
      card(
        'Waited for',
        table(
          [
            { label: 'Reason', cell: (r) => r.reason || '(none)', sort: (r) => r.reason },
            { label: 'Goroutines', numeric: true, cell: (r) => count(r.count), sort: (r) => r.count },
            { label: 'p50', numeric: true, cell: (r) => duration(r.p50), sort: (r) => r.p50 },
            { label: 'p99', numeric: true, cell: (r) => duration(r.p99), sort: (r) => r.p99 },
            { label: 'Total', numeric: true, cell: (r) => duration(r.total), sort: (r) => r.total },
          ],
          reasons,
          { label: 'Wait reasons', sortBy: 4, limit: 20 },
        ),
      ),
    ),
    card(
      'Its goroutines',
      table<any>(
        [
          { label: 'Goroutine', cell: (r) => h('a', { href: app.link({ params: { ...app.state.params, g: String(r.id) } }) }, `G${r.id}`), sort: (r) => r.id, order: 'ID' },
          { label: 'Where the time went', cell: (r) => stackedBar(shares(r)) },
          { label: 'Life', numeric: true, cell: (r) => duration(r.end - r.start), sort: (r) => r.end - r.start, order: 'LIFE' },
          { label: 'Running', numeric: true, cell: (r) => duration(r.running), sort: (r) => r.running, order: 'RUNNING' },
          { label: 'Runnable', numeric: true, cell: (r) => duration(r.runnable), sort: (r) => r.runnable, order: 'RUNNABLE' },
          { label: 'Waiting', numeric: true, cell: (r) => duration(r.waiting), sort: (r) => r.waiting, order: 'WAITING' },
          { label: 'Syscall', numeric: true, cell: (r) => duration(r.syscall), sort: (r) => r.syscall, order: 'SYSCALL' },
          { label: 'Began', numeric: true, cell: (r) => instantLink(r.start, `g:${r.id}`), sort: (r) => r.start, order: 'START' },
        ],
        list.rows,
        { label: 'Goroutines of the group', sortBy: 3, firstOf: serverOrder(list.total, 'RUNNING', true), onRow: (r) => app.go({ params: { ...app.state.params, g: String(r.id) } }) },
      ),
    ),
  ];
}

function onePanel(d: any): Node[] {
  const life = d.end - d.start;
  const sum = () => Math.max(1, states.reduce((n, s) => n + s.value, 0));
  const { range } = app.state;
  const states = app.info.states.map((s) => ({ state: s.name, label: s.label, value: d.byState[s.name] ?? 0 })).filter((s) => s.value > 0);
  const { g: _, ...rest } = app.state.params;
  return [
    h('p', h('a', { href: app.link({ params: rest.group !== undefined ? rest : { group: d.group } }) }, '← ', d.group || '(unknown)')),
    h('h1', `G${d.id} `, h('small', d.group)),
    states.length ? stackedBar(states) : h('p.muted', 'It did not exist in the selected range.'),
    h(
      'div.grid.three',
      card(
        'Its life',
        h(
          'dl.facts',
          ...([
            ['Began', instantLink(d.start, `g:${d.id}`)],
            ['Ended', instantLink(Math.max(d.start, d.end - 1), `g:${d.id}`)],
            ['Life', duration(life)],
            [range ? 'Spans in the range' : 'Spans', count(d.spans)],
            ['Created by', d.parent >= 0 ? h('a', { href: app.link({ params: { g: String(d.parent) } }) }, app.names.label(d.parent)) : 'not in this trace'],
            ['Timeline', goroutineLink(d.id, { start: d.start, end: d.end })],
          ] as [string, Node | string][]).flatMap(([k, v]) => [h('dt', k), h('dd', v)]),
        ),
      ),
      card(
        range ? 'Time by state in the range' : 'Time by state',
        table(
          [
            { label: 'State', cell: (s) => h('span', h(`i.dot.c-${s.state}`), s.label) },
            { label: 'Time', numeric: true, cell: (s) => duration(s.value), sort: (s) => s.value },
            { label: 'Share', numeric: true, cell: (s) => percent(s.value / sum()) },
          ],
          states,
          { label: 'Time by state', sortBy: 1 },
        ),
      ),
      card(
        'Waited for',
        table<any>(
          [
            { label: 'Reason', cell: (r) => r.reason || '(none)', sort: (r) => r.reason },
            { label: 'Times', numeric: true, cell: (r) => count(r.count), sort: (r) => r.count },
            { label: 'Time', numeric: true, cell: (r) => duration(r.total), sort: (r) => r.total },
          ],
          d.reasons,
          { label: 'Waited for', sortBy: 2 },
        ),
      ),
    ),
    card('Family', family(d)),
  ];
}

function family(d: any): HTMLElement {
  const children = d.children as number[];
  if (!children.length) return h('p.muted', 'It created no goroutine in this trace.');
  return h('div', h('p', `Created ${count(d.childCount)}:`), h('ul.chips', ...children.slice(0, 200).map((c) => h('li', h('a', { href: app.link({ params: { g: String(c) } }) }, app.names.label(c))))));
}

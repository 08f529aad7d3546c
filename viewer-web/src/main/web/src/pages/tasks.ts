import { api } from '../api';
import { app } from '../app';
import { h } from '../dom';
import { goroutineLink, instantLink, rangeLink, taskLink } from '../links';
import { count, duration, instant } from '../time';
import { histogram, latencyLine } from '../widgets/charts';
import { table } from '../widgets/table';
import { card, loadingPage, rangeNote, rangeParams, serverOrder } from './page';
import type { Page } from './pages';

/** Tasks and regions of the program: latencies by type, then single ones with their logs. */
export function tasksPage(): Page {
  return loadingPage({
    className: 'tasks',
    key: () => JSON.stringify([app.state.params, app.state.range, app.state.clock]),
    async load(signal) {
      const { type, task, region, min, max, text, order, desc } = app.state.params;
      const window = rangeParams();
      if (task) return oneTask((await api.tasks({ id: task }, signal)).tasks[0]);
      const inOrder = order ? { order, desc: desc ?? 'no' } : {};
      const [tasks, regions] = await Promise.all([
        api.tasks({ ...window, type, min, max, text, ...(region === undefined ? inOrder : {}) }, signal),
        api.regions({ ...window, type: region, min, max, ...(region === undefined ? {} : inOrder) }, signal),
      ]);
      if (!tasks.types.length && !regions.types.length && app.state.range) return [rangeNote(), card('Tasks and regions', h('p', 'None was under way in the selected range.'))];
      if (!tasks.types.length && !regions.types.length) {
        return [card('Tasks and regions', h('p', 'The program recorded none.'), h('p.muted', 'A task is a unit of work over several goroutines, a region a piece of one goroutine; see trace.NewTask and trace.WithRegion in Go, Trace.task and Trace.region here.'))];
      }
      return [
        rangeNote('what was under way in it counts with its whole duration'),
        h('div.grid', types('Tasks', 'type', tasks.types), types('Regions', 'region', regions.types)),
        type !== undefined ? latencyCard(`Latency of ${type}`, tasks.types.find((t: any) => t.name === type)) : null,
        region !== undefined ? latencyCard(`Latency of ${region}`, regions.types.find((t: any) => t.name === region)) : null,
        region !== undefined
          ? card(
              'Regions',
              table<any>(
                [
                  { label: 'Goroutine', cell: (r) => goroutineLink(r.g, r), sort: (r) => r.g, order: 'G' },
                  { label: 'Region', cell: (r) => r.name, sort: (r) => r.name, order: 'NAME' },
                  { label: 'Began', numeric: true, cell: (r) => instantLink(r.start, `g:${r.g}`), sort: (r) => r.start, order: 'START' },
                  { label: 'Duration', numeric: true, cell: (r) => rangeLink(r.start, r.end, duration(r.end - r.start)), sort: (r) => r.end - r.start, order: 'DURATION' },
                ],
                regions.regions,
                { label: 'Regions', sortBy: 3, firstOf: serverOrder(regions.total, 'DURATION', true) },
              ),
            )
          : tasks.types.length
            ? card(
                'Tasks',
                table<any>(
                  [
                    { label: 'Task', cell: (t) => h('a', { href: app.link({ params: { ...app.state.params, task: String(t.id) } }) }, `${t.name || '(unnamed)'} #${t.id}`), sort: (t) => t.name, order: 'NAME' },
                    { label: 'Began', numeric: true, cell: (t) => taskLink(t.lane, t.start, t.end, instant(t.start, 1000, app.clock)), sort: (t) => t.start, order: 'START' },
                    { label: 'Duration', numeric: true, cell: (t) => h('span', rangeLink(t.start, t.end, duration(t.end - t.start)), t.complete ? '' : ' (open)'), sort: (t) => t.end - t.start, order: 'DURATION' },
                    { label: 'Goroutines', numeric: true, cell: (t) => count(t.goroutines.length), sort: (t) => t.goroutines.length, order: 'GOROUTINES' },
                    { label: 'Regions', numeric: true, cell: (t) => count(t.regions.length), sort: (t) => t.regions.length, order: 'REGIONS' },
                    { label: 'Logs', numeric: true, cell: (t) => count(t.logs.length), sort: (t) => t.logs.length, order: 'LOGS' },
                  ],
                  tasks.tasks,
                  { label: 'Tasks', sortBy: 2, firstOf: serverOrder(tasks.total, 'DURATION', true) },
                ),
              )
            : null,
      ];
    },
  });
}

function types(title: string, key: string, list: any[]): HTMLElement {
  return card(
    title,
    table<any>(
      [
        { label: 'Type', cell: (t) => h('a', { href: app.link({ params: { [key]: t.name } }) }, t.name || '(unnamed)'), sort: (t) => t.name },
        { label: 'Count', numeric: true, cell: (t) => count(t.count), sort: (t) => t.count },
        { label: 'p50', numeric: true, cell: (t) => duration(t.latency.p50), sort: (t) => t.latency.p50 },
        { label: 'p99', numeric: true, cell: (t) => duration(t.latency.p99), sort: (t) => t.latency.p99 },
        { label: 'max', numeric: true, cell: (t) => duration(t.latency.max), sort: (t) => t.latency.max },
      ],
      list,
      { label: title, sortBy: 1 },
    ),
  );
}

function latencyCard(title: string, type: any): HTMLElement | null {
  if (!type) return null;
  const note = app.state.params.min ? h('p', `Only from ${duration(Number(app.state.params.min))} to ${duration(Number(app.state.params.max))}. `, h('a', { href: app.link({ params: { ...app.state.params, min: '', max: '' } }) }, 'All')) : h('p.muted', 'Click a bar to list only those.');
  return card(title, histogram(type.latency, { label: title, onRange: (from, to) => app.go({ params: { ...app.state.params, min: String(from), max: String(to) } }) }), latencyLine(type.latency), note);
}

/** One task as its own small timeline: a row per region, its logs as marks. */
function oneTask(task: any): Node[] {
  const back = h('p', h('a', { href: app.link({ params: {} }) }, '← All tasks'));
  if (!task) return [back, h('p.muted', 'There is no such task.')];
  const span = Math.max(1, task.end - task.start);
  const place = (from: number, to: number) => `left:${(((from - task.start) / span) * 100).toFixed(3)}%;width:${Math.max(0.15, ((to - from) / span) * 100).toFixed(3)}%`;
  return [
    back,
    h('h1', `${task.name || '(unnamed)'} `, h('small', `#${task.id}`)),
    h('p', taskLink(task.lane, task.start, task.end, 'Show on the timeline'), ' · ', rangeLink(task.start, task.end, duration(span)), task.complete ? '' : ' (its begin or end is outside the trace)', ` on ${count(task.goroutines.length)} goroutines: `, ...task.goroutines.slice(0, 12).flatMap((g: number, i: number) => [i ? ', ' : '', goroutineLink(g, task)])),
    card(
      'Timeline of the task',
      h(
        'div.task-lanes',
        h('div.task-lane', h('span.task-name', 'task'), h('span.task-track', h('span.task-bar.c-ACTIVE', { style: place(task.start, task.end) }), ...task.logs.map((l: any) => h('span.task-log', { style: `left:${(((l.ns - task.start) / span) * 100).toFixed(3)}%`, title: `${l.category ? `${l.category}: ` : ''}${l.message}` })))),
        ...task.regions.slice(0, 200).map((r: any) => h('div.task-lane', h('span.task-name', { title: `${r.name} on G${r.g}` }, r.name), h('span.task-track', h('span.task-bar.c-ACTIVE', { style: place(r.start, r.end), title: `${r.name} on ${app.names.label(r.g)}: ${duration(r.end - r.start)}` })))),
      ),
    ),
    card(
      'Logs',
      table<any>(
        [
          { label: 'Time', numeric: true, cell: (l) => instantLink(l.ns, `g:${l.g}`), sort: (l) => l.ns },
          { label: 'Goroutine', cell: (l) => goroutineLink(l.g), sort: (l) => l.g },
          { label: 'Category', cell: (l) => l.category, sort: (l) => l.category },
          { label: 'Message', cell: (l) => l.message, sort: (l) => l.message },
        ],
        task.logs,
        { label: 'Logs', sortBy: 0, descending: false },
      ),
    ),
  ];
}

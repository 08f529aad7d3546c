// The panel of a selected range: what its states, goroutines and processors cost.

import { app } from './app';
import type { Selection } from './answers';
import { h } from './dom';
import { goroutineName, instantLink, laneLink, reasonLink } from './links';
import { count, duration, percent } from './time';
import { histogram, latencyLine, stackedBar } from './widgets/charts';
import { table } from './widgets/table';

/** What happened in a selected range. */
export function rangePanel(s: Selection): Node {
  const states = app.info.states.map((st) => ({ state: st.name, label: st.label, value: s.gTimeByState[st.name] ?? 0 })).filter((p) => p.value > 0);
  const total = states.reduce((sum, p) => sum + p.value, 0);
  const figures: [string, string][] = [
    ['utilisation of the Ps', percent(s.utilisation)],
    ['steals', s.stolen > 0 ? `${count(s.steals)} (${count(s.stolen)} goroutines)` : count(s.steals)],
    ['wake-ups', count(s.wakes)],
    ['hand-offs', count(s.handoffs)],
    ['syscalls', count(s.syscalls)],
    ['preemptions', count(s.preemptions)],
    ['created', count(s.created)],
    ['ended', count(s.ended)],
  ];
  return h(
    'div.cols.range',
    h(
      'div.col',
      h('h2', { 'data-testid': 'range-duration' }, duration(s.to - s.from), h('span.muted', ' selected')),
      h('p', instantLink(s.from), ' – ', instantLink(s.to)),
      h('dl.figures', ...figures.map(([k, v]) => h('div', h('dt', k), h('dd.num', v)))),
      h('p', h('a', { href: app.link({ page: 'profiles' }) }, 'Profile this range'), ' · ', h('a', { href: app.link({ page: 'events' }) }, 'Its events')),
      h('h3', 'By processor'),
      table(
        [
          { label: 'P', cell: (p) => laneLink(`p:${p.p}`, `P${p.p}`, s.from, s.to), sort: (p) => p.p },
          { label: 'Running', numeric: true, cell: (p) => duration(p.running), sort: (p) => p.running },
          { label: 'Share', numeric: true, cell: (p) => percent(p.utilisation), title: 'Utilisation: the share of the time in which a goroutine ran on it' },
          { label: 'In syscalls', numeric: true, cell: (p) => duration(p.syscall), sort: (p) => p.syscall, title: 'Held by a goroutine in a system call' },
        ],
        s.procs,
        { label: 'By processor', sortBy: 0, descending: false, limit: 64 },
      ),
    ),
    h(
      'div.col',
      h('h3', 'Goroutine time by state'),
      stackedBar(states, total),
      table(
        [
          { label: 'State', cell: (p) => h('span', h(`i.dot.c-${p.state}`), p.label) },
          { label: 'Time', numeric: true, cell: (p) => duration(p.value), sort: (p) => p.value },
          { label: 'Share', numeric: true, cell: (p) => percent(p.value / total) },
        ],
        states,
        { label: 'Goroutine time by state', sortBy: 1 },
      ),
      h('h3', 'Time from runnable to running'),
      histogram(s.schedLatency, { label: 'Scheduling latency' }),
      latencyLine(s.schedLatency),
    ),
    h(
      'div.col.wide.groups',
      h('h3', 'By goroutine group'),
      table(
        [
          { label: 'Started by', cell: (g) => h('a', { href: app.link({ page: 'goroutines', params: { group: g.name } }), title: g.name }, goroutineName(g.name) || '(unknown)'), sort: (g) => g.name },
          { label: 'Goroutines', numeric: true, cell: (g) => count(g.goroutines), sort: (g) => g.goroutines },
          { label: 'Running', numeric: true, cell: (g) => duration(g.running), sort: (g) => g.running },
          { label: 'Runnable', numeric: true, cell: (g) => duration(g.runnable), sort: (g) => g.runnable },
          { label: 'Waiting', numeric: true, cell: (g) => duration(g.waiting), sort: (g) => g.waiting },
          { label: 'Syscall', numeric: true, cell: (g) => duration(g.syscall), sort: (g) => g.syscall },
        ],
        s.groups,
        { label: 'By goroutine group', sortBy: 2, limit: 50 },
      ),
      h('h3', 'Waited for'),
      table(
        [
          { label: 'Reason', cell: (r) => (r.reason ? reasonLink(r.reason) : '(none)'), sort: (r) => r.reason },
          { label: 'Times', numeric: true, cell: (r) => count(r.count), sort: (r) => r.count },
          { label: 'Time', numeric: true, cell: (r) => duration(r.total), sort: (r) => r.total },
        ],
        s.reasons,
        { label: 'Waited for', sortBy: 2, limit: 30 },
      ),
    ),
  );
}

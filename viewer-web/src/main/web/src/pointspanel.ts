// The panel of a click on a row of point events: each of those that lie there.

import { app } from './app';
import type { PointEvent } from './answers';
import { h } from './dom';
import { goroutineLink, instantLink, laneLink } from './links';
import { count, duration } from './time';
import { table } from './widgets/table';

export const POINTS_LISTED = 500;

export function pointsPanel(title: string, events: PointEvent[], total: number, from: number, to: number): Node {
  const place = (kind: 'p' | 'm', id: number, at: number) => (id >= 0 ? laneLink(`${kind}:${id}`, `${kind.toUpperCase()}${id}`, at) : '');
  return h(
    'div.cols',
    h(
      'div.col.wide',
      h('h2', title, h('span.muted', ` · ${count(total)} in ${duration(to - from)} from `), instantLink(from, null, Math.max(1, (to - from) / 10))),
      total > events.length
        ? h('p.muted', `These are too many to list (more than ${POINTS_LISTED}). Zoom in and click again.`)
        : table<PointEvent>(
            [
              { label: 'Time', numeric: true, cell: (e) => instantLink(e.ns, null, 1), sort: (e) => e.ns },
              { label: 'What', cell: (e) => e.text, sort: (e) => e.text },
              { label: 'Goroutine', cell: (e) => (e.g >= 0 ? goroutineLink(e.g, { start: e.ns, end: e.ns + 1000 }) : ''), sort: (e) => e.g },
              { label: 'P', cell: (e) => place('p', e.p, e.ns), sort: (e) => e.p },
              { label: 'M', cell: (e) => place('m', e.m, e.ns), sort: (e) => e.m },
            ],
            events,
            { label: title, sortBy: 0, descending: false },
          ),
      h('p', h('a', { href: app.link({ page: 'events', range: [Math.floor(from), Math.ceil(to)] }) }, 'All events of this time')),
    ),
  );
}

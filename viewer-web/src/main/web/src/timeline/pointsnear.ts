// Single point events under the mouse: how many is known from what is drawn, which ones is asked once
// the mouse rests.

import { api } from '../api';
import { app } from '../app';
import type { PointEvent } from '../answers';
import { debounce, h } from '../dom';
import { count, instant } from '../time';
import type { Row } from './rows';
import type { SampledStrips } from './sampledstrips';
import type { TimeWindow } from './window';

export type PointsRow = Extract<Row, { type: 'points' }>;

/** How near the mouse has to be. */
export const REACH_PX = 3;
const LISTED = 8;

export class PointsNear {
  private known = '';
  private wanted = '';
  private events: PointEvent[] = [];

  constructor(
    private readonly sampled: SampledStrips,
    private readonly onArrival: () => void,
  ) {}

  /** Whether there are any about an instant. */
  any(row: PointsRow, ns: number, win: TimeWindow): boolean {
    return this.sampled.countNear(row, ns - REACH_PX * win.nsPerPx, ns + REACH_PX * win.nsPerPx) > 0;
  }

  describe(row: PointsRow, ns: number, win: TimeWindow): Node[] | null {
    const reach = REACH_PX * win.nsPerPx;
    const [from, to] = [Math.max(0, Math.floor(ns - reach)), Math.ceil(ns + reach)];
    const about = this.sampled.countNear(row, from, to);
    if (!about) return null;
    const key = `${row.key} ${from} ${to}`;
    if (key !== this.known) {
      this.wanted = key;
      this.ask(row, from, to, key);
      return [h('strong', row.label), h('div', `about ${count(about)} here`)];
    }
    if (!this.events.length) return [h('strong', row.label), h('div', `about ${count(about)} here; zoom in to read them`)];
    const lines = this.events.slice(0, LISTED).map((e) => h('div', h('span.num.muted', `${instant(e.ns, Math.max(1, win.nsPerPx), app.clock)} `), eventText(e)));
    if (this.events.length > LISTED) lines.push(h('div.muted', `and ${this.events.length - LISTED} more; a click lists them`));
    return [h('strong', row.label), ...lines];
  }

  private readonly ask = debounce(120, (row: PointsRow, from: number, to: number, key: string) => {
    if (key !== this.wanted) return;
    api
      .pointList(row.kinds, from, to, 50)
      .then(({ events }) => {
        if (key !== this.wanted) return;
        this.known = key;
        this.events = events;
        this.onArrival();
      })
      .catch(() => undefined);
  });
}

/** A point event in a line: who, where, what. */
export function eventText(e: PointEvent): string {
  const where = [e.g >= 0 ? app.names.label(e.g) : '', e.p >= 0 ? `P${e.p}` : '', e.g < 0 && e.p < 0 && e.m >= 0 ? `M${e.m}` : ''].filter(Boolean).join(' on ');
  return [where, e.text].filter(Boolean).join(': ');
}

// What is under the mouse: found anew whenever the mouse, the window or what is drawn has changed, so
// that the words never belong to something that was there before.

import { app } from '../app';
import type { Arrow, LogMark } from '../answers';
import { h } from '../dom';
import { describeArrow, describeSpan, Tooltip, type HitSpan } from './hover';
import { arrowNear, logNear, type Placed } from './overlay';
import type { PointsNear } from './pointsnear';
import type { Row } from './rows';
import type { Timeline } from './timeline';

export class Pointing {
  readonly tooltip = new Tooltip();
  at: { x: number; y: number } | null = null;
  hit: HitSpan | null = null;
  arrow: Arrow | null = null;
  private log: LogMark | null = null;
  private found = '';

  constructor(
    private readonly timeline: Timeline,
    private readonly points: PointsNear,
  ) {}

  /** @param version changes whenever something arrived or was laid out anew */
  refresh(version: number, height: number, placed: Placed) {
    const { at, timeline } = this;
    const { win } = timeline;
    if (at && at.y >= height) this.at = null;
    const key = this.at ? [at!.x, at!.y, win.start, win.nsPerPx, timeline.scroll.top, height, version].join() : '';
    if (key === this.found) return;
    this.found = key;
    this.hit = null;
    this.arrow = null;
    this.log = null;
    const row = this.at && timeline.rowAt(at!.y)?.row;
    if (!row) {
      this.tooltip.show(null, 0, 0, timeline.stage);
      return;
    }
    const { x, y } = at!;
    const { arrows } = timeline;
    this.hit = timeline.hitTest(x, y);
    this.log = logNear(arrows.logs, row.key, win, x);
    this.arrow = this.log ? null : arrowNear([...arrows.ofSpan, ...arrows.ofWindow], win, placed, app.state.view, x, y);
    this.tooltip.show(this.words(row, win.ns(x)), timeline.labelWidth + x, y, timeline.stage);
  }

  private words(row: Row, ns: number): Node[] | null {
    if (this.log) return [h('strong', this.log.message), h('div', `${this.log.category ? `${this.log.category} · ` : ''}log on ${app.names.label(this.log.g)}`)];
    if (this.arrow) return describeArrow(this.arrow);
    if (row.type === 'counter') return this.timeline.sampled.describe(row, ns);
    if (row.type === 'points') return this.points.describe(row, ns, this.timeline.win);
    return this.hit && describeSpan(this.hit, row);
  }
}

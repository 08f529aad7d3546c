// The panel below the timeline: one span in every detail, or what happened in a selected range.

import { api, isRefusal, whyNot } from './api';
import { app } from './app';
import type { Arrow, ArrowPage, SpanDetail, SpanRef } from './answers';
import { dragging, h, replace } from './dom';
import { Latest } from './latest';
import { goroutineLink, keepOrShow, laneLink, laneName, spanLink, stackList } from './links';
import { POINTS_LISTED, pointsPanel } from './pointspanel';
import { rangePanel } from './rangepanel';
import { count, duration, exactDuration, instant } from './time';
import { REACH_PX } from './timeline/pointsnear';
import { pointRow } from './timeline/rowset';
import type { Timeline } from './timeline/timeline';

/** How many of the things a span set going are listed. */
const DONE_LISTED = 12;
const MIN_HEIGHT = 80;
const NO_ARROWS: ArrowPage = { truncated: false, total: 0, arrows: [] };

export class Details {
  readonly element = h('section.details', { 'aria-label': 'Details', hidden: true });
  private readonly body = h('div.details-body');
  private shown = '';
  private span: SpanDetail | null = null;
  private readonly sums = new Latest();

  constructor(private readonly timeline: Timeline) {
    const grip = h('div.grip', { role: 'separator', tabindex: '0', 'aria-orientation': 'horizontal', 'aria-label': 'Height of the details. Up and down change it.', 'aria-valuemin': String(MIN_HEIGHT) });
    grip.addEventListener('keydown', (e) => {
      if (e.key !== 'ArrowUp' && e.key !== 'ArrowDown') return;
      this.setHeight(this.element.clientHeight + (e.key === 'ArrowUp' ? 30 : -30));
      e.preventDefault();
      e.stopPropagation();
    });
    grip.addEventListener('pointerdown', (e) => this.resize(e));
    this.element.append(grip, this.body);
    document.addEventListener('gmptrace:step', (e) => this.step((e as CustomEvent<keyof SpanDetail>).detail));
    document.addEventListener('gmptrace:range-from-span', () => this.span && app.go({ range: [this.span.start, this.span.end], span: null }));
  }

  update() {
    const { span, range, filter } = app.state;
    const key = JSON.stringify([span, range, range ? filter : null, app.state.clock]);
    if (key === this.shown) return;
    this.shown = key;
    this.sums.clear();
    this.element.hidden = !span && !range;
    const points = span ? pointRow(span.lane) : undefined;
    if (span && points) void this.showPoints(points, span.at);
    else if (span) void this.showSpan(span.lane, span.at);
    else {
      this.span = null;
      this.timeline.setSelected(null);
      if (range) this.showRange(range);
    }
  }

  private async showSpan(lane: string, at: number) {
    const key = this.shown;
    let detail: SpanDetail | null;
    try {
      detail = await api.span(lane, at);
    } catch (e) {
      this.fail(key, e);
      return;
    }
    if (key !== this.shown) return;
    this.span = detail;
    this.timeline.setSelected(detail);
    if (!detail) {
      replace(this.body, h('p.muted', `Nothing on ${laneName(lane)} at that instant.`), this.closeButton());
      return;
    }
    const of = detail.g >= 0 && !detail.lane.startsWith('t:') ? `g:${detail.g}` : null;
    const [did, woken] = await Promise.all([of ? api.arrows(detail.start, detail.end + 1, of, 'FROM', '', DONE_LISTED) : NO_ARROWS, of ? api.arrows(detail.start - 1, detail.start + 2, of, 'BOTH', 'WAKE', 20) : NO_ARROWS]).catch(() => [NO_ARROWS, NO_ARROWS]);
    if (key === this.shown) replace(this.body, this.spanPanel(detail, did, woken.arrows));
  }

  private async showPoints(row: { label: string; kinds: string[] }, at: number) {
    const key = this.shown;
    this.span = null;
    this.timeline.setSelected(null);
    const reach = REACH_PX * this.timeline.win.nsPerPx;
    const [from, to] = [Math.max(0, Math.floor(at - reach)), Math.ceil(at + reach) + 1];
    try {
      const { total, events } = await api.pointList(row.kinds, from, to, POINTS_LISTED);
      if (key === this.shown) replace(this.body, pointsPanel(row.label, events, total, from, to), this.closeButton());
    } catch (e) {
      this.fail(key, e);
    }
  }

  /** Says that there was no answer; unless the server refused, the next change of the view asks again. */
  private fail(key: string, e: unknown) {
    if (key !== this.shown) return;
    if (!isRefusal(e)) this.shown = '';
    replace(this.body, h('p.muted', { role: 'status' }, whyNot(e)), this.closeButton());
  }

  private spanPanel(d: SpanDetail, did: ArrowPage, woken: Arrow[]): Node[] {
    const resolution = 1;
    const isTask = d.lane.startsWith('t:');
    const facts: [string, Node | string | null][] = [
      [isTask ? 'Kind' : 'State', isTask ? h('span', h(`i.dot.c-${d.state}`), d.stateLabel) : h('span', h(`i.dot.c-${d.state}`), d.stateLabel, d.reason ? ` · ${d.reason}` : '')],
      ['Goroutine', d.g >= 0 ? h('span', goroutineLink(d.g, d), ' ', this.groupLink(d.g)) : null],
      ['Processor', d.p >= 0 ? laneLink(`p:${d.p}`, `P${d.p}`, d.start) : null],
      ['Thread', d.m >= 0 ? laneLink(`m:${d.m}`, `M${d.m}`, d.start) : null],
      ['Start', h('span.num', instant(d.start, resolution, app.clock))],
      ['Duration', h('span', { 'data-testid': 'duration' }, h('strong.num', duration(d.end - d.start)), h('span.muted.num', ` ${exactDuration(d.end - d.start)}`))],
      ['Began', d.why || null],
      ['Ended', d.whyEnded || null],
      [causeTitle(d), this.cause(d)],
      ['Waited for', waitedFor(d, woken)],
      ['Task', d.tasks.length ? h('span', ...d.tasks.flatMap((name, i) => [i ? ', ' : '', h('a', { href: app.link({ page: 'tasks', params: { task: String(d.taskIds[i]) } }), title: 'All about this task' }, name)])) : null],
      ['Region', d.regions.length ? d.regions.join(' › ') : null],
      ['Labels', d.labels.length ? d.labels.join(', ') : null],
      ['Why unknown', d.unknownWhy || null],
    ];
    const step = (name: string, ref: SpanRef | null, keyName: string) => h('div.step', h('span.muted', name), ref ? spanLink(ref) : h('span.muted', '–'), h('kbd', keyName));
    const kind = d.lane.startsWith('g:') ? 'goroutine' : d.lane.startsWith('m:') ? 'thread' : d.lane.startsWith('p:') ? 'processor' : 'lane';
    return [
      h(
        'div.cols',
        h('div.col', h('h2', isTask ? d.reason : d.g >= 0 ? app.names.label(d.g) : laneName(d.lane)), h('dl.facts', ...facts.filter(([, v]) => v !== null).flatMap(([k, v]) => [h('dt', k), h('dd', v)]))),
        h(
          'div.col',
          h('h3', 'Around it'),
          d.g < 0 || isTask ? null : step(`Before, same goroutine`, d.prevOfG, '['),
          d.g < 0 || isTask ? null : step(`After, same goroutine`, d.nextOfG, ']'),
          d.lane.startsWith('g:') ? null : step(`Before on this ${kind}`, d.prevInLane, '←'),
          d.lane.startsWith('g:') ? null : step(`Next on this ${kind}`, d.nextInLane, '→'),
          did.total ? h('h3', 'What it set going') : null,
          did.total ? h('ul.plain', ...did.arrows.map((a) => h('li', `${verb(a)} `, a.toG >= 0 ? goroutineLink(a.toG, { start: a.toNs, end: a.toNs + 1000 }) : a.text, h('span.muted.num', ` +${duration(a.fromNs - d.start)}`)))) : null,
          did.total > did.arrows.length ? h('p.muted', `and ${count(did.total - did.arrows.length)} more`) : null,
        ),
        h('div.col.wide', h('h3', 'Stack at its start'), stackList(d.startStack), d.endStack.length ? [h('h3', 'Stack at its end'), stackList(d.endStack)] : null),
      ),
      this.closeButton(),
    ];
  }

  private cause(d: SpanDetail): Node | string | null {
    const c = d.cause;
    if (!c) return null;
    if (c.byG < 0) return h('span', c.text);
    return h('span', { 'data-testid': 'cause' }, goroutineLink(c.byG, { start: c.atNs, end: c.atNs + Math.max(100, (d.end - d.start) / 2) }), h('span.muted.num', ` at ${instant(c.atNs, 1, app.clock)}`));
  }

  private groupLink(g: number): Node | null {
    const group = app.names.groupOf(g);
    return group ? h('a.quiet', { href: app.link({ page: 'goroutines', params: { group } }) }, 'all of this kind') : null;
  }

  private showRange(range: [number, number]) {
    const key = this.shown;
    replace(this.body, h('p.muted', 'Adding up…'), this.closeButton());
    const { here: _, ...filter } = app.state.filter;
    this.sums.run(async () => {
      try {
        const selection = await api.select(range[0], range[1], filter);
        if (key === this.shown) replace(this.body, rangePanel(selection), this.closeButton());
      } catch (e) {
        this.fail(key, e);
      }
    });
  }

  private closeButton(): Node {
    return h('button.close', { 'aria-label': 'Close the details (Esc)', title: 'Close (Esc)', onclick: () => app.go({ span: null, range: null }) }, '×');
  }

  private step(field: keyof SpanDetail) {
    const ref = this.span?.[field] as SpanRef | null | undefined;
    if (!ref) return;
    const { start, end } = this.timeline.win;
    app.go({ span: { lane: ref.lane, at: ref.start }, view: ref.lane.startsWith('g:') ? 'g' : app.state.view, window: keepOrShow(ref, [start, end]) ?? app.state.window });
  }

  private setHeight(wanted: number) {
    const height = Math.round(Math.max(MIN_HEIGHT, Math.min(innerHeight * 0.7, wanted)));
    this.element.style.height = `${height}px`;
    this.element.querySelector('.grip')!.setAttribute('aria-valuenow', String(height));
  }

  private resize(down: PointerEvent) {
    const height = this.element.clientHeight;
    const move = (e: PointerEvent) => this.setHeight(height + down.clientY - e.clientY);
    dragging(move, () => undefined);
    down.preventDefault();
  }
}

/** What the goroutine had waited for when it was woken for this span. */
function waitedFor(d: SpanDetail, arrows: Arrow[]): string | null {
  const here = (ns: number) => Math.abs(ns - d.start) <= 1;
  return arrows.find((a) => a.kind === 'WAKE' && a.toG === d.g && a.text && (here(a.toNs) || here(a.fromNs)))?.text ?? null;
}

function causeTitle(d: SpanDetail): string {
  switch (d.cause?.kind) {
    case 'CREATED':
      return 'Created by';
    case 'WOKEN':
      return 'Woken by';
    case 'PREEMPTED':
      return 'Preempted';
    default:
      return 'Woken';
  }
}

function verb(a: Arrow): string {
  switch (a.kind) {
    case 'CREATE':
      return 'created';
    case 'WAKE':
      return a.text ? `woke (${a.text})` : 'woke';
    case 'STEAL':
      return 'stolen';
    default:
      return 'handed off';
  }
}

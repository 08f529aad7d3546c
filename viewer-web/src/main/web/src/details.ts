// The panel below the timeline: one span in every detail, or what happened in a selected range.

import { api, isRefusal, whyNot } from './api';
import { app } from './app';
import type { Arrow, SpanDetail, SpanRef } from './answers';
import { dragging, h, replace } from './dom';
import { Latest } from './latest';
import { goroutineLink, keepOrShow, laneLink, laneName, spanLink, stackList } from './links';
import { rangePanel } from './rangepanel';
import { duration, exactDuration, instant } from './time';
import type { Timeline } from './timeline/timeline';

export class Details {
  readonly element = h('section.details', { 'aria-label': 'Details', hidden: true });
  private readonly body = h('div.details-body');
  private shown = '';
  private span: SpanDetail | null = null;
  private readonly sums = new Latest();

  constructor(private readonly timeline: Timeline) {
    const grip = h('div.grip', { role: 'separator', 'aria-orientation': 'horizontal', 'aria-label': 'Resize the details' });
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
    if (span) void this.showSpan(span.lane, span.at);
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
    const arrows = detail.g >= 0 && !detail.lane.startsWith('t:') ? await api.arrows(detail.start, detail.end + 1, `g:${detail.g}`, '', 100).catch(() => null) : null;
    if (key === this.shown) replace(this.body, this.spanPanel(detail, arrows?.arrows ?? []));
  }

  /** Says that there was no answer; unless the server refused, the next change of the view asks again. */
  private fail(key: string, e: unknown) {
    if (key !== this.shown) return;
    if (!isRefusal(e)) this.shown = '';
    replace(this.body, h('p.muted', { role: 'status' }, whyNot(e)), this.closeButton());
  }

  private spanPanel(d: SpanDetail, arrows: Arrow[]): Node[] {
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
      ['Waited for', waitedFor(d, arrows)],
      ['Task', d.tasks.length ? h('span', ...d.tasks.flatMap((name, i) => [i ? ', ' : '', h('a', { href: app.link({ page: 'tasks', params: { task: String(d.taskIds[i]) } }), title: 'All about this task' }, name)])) : null],
      ['Region', d.regions.length ? d.regions.join(' › ') : null],
      ['Labels', d.labels.length ? d.labels.join(', ') : null],
      ['Why unknown', d.unknownWhy || null],
    ];
    const step = (name: string, ref: SpanRef | null, keyName: string) => h('div.step', h('span.muted', name), ref ? spanLink(ref) : h('span.muted', '–'), h('kbd', keyName));
    const did = arrows.filter((a) => a.fromG === d.g && a.fromNs >= d.start && a.fromNs <= d.end && a.toG !== d.g);
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
          did.length ? h('h3', 'What it set going') : null,
          did.length ? h('ul.plain', ...did.slice(0, 12).map((a) => h('li', `${verb(a)} `, a.toG >= 0 ? goroutineLink(a.toG, { start: a.toNs, end: a.toNs + 1000 }) : a.text, h('span.muted.num', ` +${duration(a.fromNs - d.start)}`)))) : null,
          did.length > 12 ? h('p.muted', `and ${did.length - 12} more`) : null,
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

  private resize(down: PointerEvent) {
    const height = this.element.clientHeight;
    const move = (e: PointerEvent) => (this.element.style.height = `${Math.max(80, Math.min(innerHeight * 0.7, height + down.clientY - e.clientY))}px`);
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

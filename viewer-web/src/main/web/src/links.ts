// Words that lead somewhere: a goroutine, an instant, a span. Every page uses the same ones.

import { app } from './app';
import type { Frame, SpanRef } from './answers';
import { h } from './dom';
import { goroutineName } from './timeline/names';
import { duration, instant } from './time';
import type { View } from './url';

export function goroutineLink(g: number, at?: { start: number; end: number }): HTMLElement {
  const span = at ? { lane: `g:${g}`, at: at.start } : null;
  const window = at ? app.around(at.start, at.end, 4) : app.state.window;
  return h('a', { href: app.link({ page: 'timeline', view: 'g', span, window, filter: {} }), title: 'Show on the timeline' }, app.names.label(g));
}

export function instantLink(ns: number, lane?: string | null, resolution = 1000): HTMLElement {
  const window = app.around(ns, ns, 200);
  const view = viewOf(lane);
  return h('a.num', { href: app.link({ page: 'timeline', view, window, ...(lane ? { span: { lane, at: ns } } : {}) }), title: 'Show on the timeline' }, instant(ns, resolution, app.clock));
}

export function rangeLink(from: number, to: number, text: string): HTMLElement {
  return h('a', { href: app.link({ page: 'timeline', window: app.around(from, to, 0.2), range: [Math.floor(from), Math.ceil(to)], span: null }), title: 'Show on the timeline' }, text);
}

export function spanLink(ref: SpanRef, text?: string): HTMLElement {
  const view = viewOf(ref.lane);
  const isTask = ref.lane.startsWith('t:');
  const state = app.info.states.find((s) => s.name === ref.state)?.label ?? ref.state;
  const label = text ?? (isTask ? `${ref.reason}, ${duration(ref.end - ref.start)}` : `${state}${ref.reason ? ` · ${ref.reason}` : ''}${ref.lane.startsWith('g:') || ref.g < 0 ? '' : ` G${ref.g}`}, ${duration(ref.end - ref.start)}`);
  return h('a', { href: app.link({ page: 'timeline', view, span: { lane: ref.lane, at: ref.start }, window: keepOrShow(ref, app.state.window ?? [0, app.info.durationNs]) ?? app.state.window }) }, h(`i.dot.c-${ref.state}`), label);
}

/** The view that has a lane; ranges and tasks are in every one. */
function viewOf(lane?: string | null): View {
  const kind = lane?.[0];
  return kind === 'g' || kind === 'm' || kind === 'p' ? kind : app.state.view;
}

/** A task or region on its lane, with all of it in the window. */
export function taskLink(lane: string, start: number, end: number, text: string): HTMLElement {
  return h('a', { href: app.link({ page: 'timeline', window: app.around(start, end, 0.3), span: { lane, at: start }, range: null }), title: 'Show on the timeline' }, text);
}

/** A lane, at an instant or over a range. */
export function laneLink(lane: string, text: string, at: number, to?: number): HTMLElement {
  const where = to === undefined ? { span: { lane, at } } : { window: app.around(at, to, 0.05), span: null, top: lane };
  return h('a', { href: app.link({ page: 'timeline', view: viewOf(lane), ...where }), title: 'Show on the timeline' }, text);
}

/** The goroutines that waited for this, on their lanes. */
export function reasonLink(reason: string): HTMLElement {
  return h('a', { href: app.link({ page: 'timeline', view: 'g', filter: { reason } }), title: 'Lanes of the goroutines that waited for this' }, reason);
}

/** A lane in words: "P0", "M12", "G17". */
export function laneName(lane: string): string {
  return /^[pmg]:/.test(lane) ? `${lane[0].toUpperCase()}${lane.slice(2)}` : 'this lane';
}

/** A window in which a span can be seen; null when it can be in the present one. */
export function keepOrShow(ref: { start: number; end: number }, w: [number, number]): [number, number] | null {
  const span = w[1] - w[0];
  const visible = ref.start >= w[0] && ref.end <= w[1];
  const wide = (ref.end - ref.start) * 300 > span;
  if (visible && wide) return null;
  if (!visible && wide && ref.end - ref.start < span) {
    const middle = (ref.start + ref.end) / 2;
    return [middle - span / 2, middle + span / 2];
  }
  return app.around(ref.start, ref.end, 4);
}

export function stackList(frames: Frame[]): HTMLElement {
  if (!frames.length) return h('p.muted', 'No stack recorded.');
  return h('ol.stack', ...frames.map((f) => h('li', h('span.fn', f.function), f.file ? h('span.file', `${f.file.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '')}:${f.line}`) : null)));
}

export { goroutineName };

// What is under the mouse, and the words for it.

import { app } from '../app';
import type { Arrow } from '../answers';
import { h } from '../dom';
import { count, duration } from '../time';
import type { StateTable } from './raster';
import type { Row } from './rows';
import { firstAfter, type TileCache } from './tiles';
import type { View } from './view';

export interface HitSpan {
  lane: string;
  start: number;
  end: number;
  state: string;
  g: number;
  count: number;
  busy: number;
  reason: string;
  /** Whether start and end are the span's own, not the edge of a tile. */
  exact: boolean;
}

/** The span of a lane nearest to an instant, at most a few pixels away. */
export function spanNear(tiles: TileCache, states: StateTable, reasons: Map<number, string>, lane: string, ns: number, { win, duration: length }: View, reachPx = 3): HitSpan | null {
  const reach = win.nsPerPx * reachPx;
  const { pieces } = tiles.lookup(lane, ns - reach, ns + reach, win.nsPerPx, length);
  let best: HitSpan | null = null;
  let bestDistance = Infinity;
  for (const { tile, from, to } of pieces) {
    for (let i = firstAfter(tile.end, ns - reach); i < tile.start.length && tile.start[i] <= ns + reach; i++) {
      if (tile.start[i] >= to || tile.end[i] <= from) continue;
      const distance = ns < tile.start[i] ? tile.start[i] - ns : ns >= tile.end[i] ? ns - tile.end[i] + 0.001 : 0;
      if (distance >= bestDistance) continue;
      bestDistance = distance;
      best = {
        lane,
        start: tile.start[i],
        end: tile.end[i],
        state: states.names[tile.state[i]],
        g: tile.g[i],
        count: tile.count[i],
        busy: tile.busy[i] / 255,
        reason: reasons.get(tile.reason[i]) ?? '',
        exact: tile.count[i] === 1 && tile.start[i] > tile.from && tile.end[i] < tile.to,
      };
    }
  }
  return best;
}

export function describeSpan(hit: HitSpan, row: Row): Node[] {
  const label = app.info.states.find((s) => s.name === hit.state)?.label ?? hit.state;
  const isTask = hit.lane.startsWith('t:');
  const name = isTask ? hit.reason : hit.g >= 0 ? app.names.label(hit.g) : row.label;
  const what = isTask ? (hit.g >= 0 ? `on ${app.names.label(hit.g)}` : '') : hit.count > 1 ? `mostly ${label}, ${Math.round(hit.busy * 100)} % running or in syscalls` : `${label}${hit.reason ? ` · ${hit.reason}` : ''}`;
  const lines = [h('strong', hit.count > 1 && !isTask ? `${count(hit.count)} spans` : name), h('div', h(`i.dot.c-${hit.state}`), what)];
  if (hit.exact) lines.push(h('div.num', duration(hit.end - hit.start)));
  return lines;
}

/** What an arrow says: who did what to whom, and how long that took to have an effect. */
export function describeArrow(a: Arrow): Node[] {
  const name = (g: number, p: number, m: number) => (g >= 0 ? app.names.label(g) : p >= 0 ? `P${p}` : m >= 0 ? `M${m}` : 'somebody');
  const later = (what: string) => h('div.num', `${what} ${duration(a.toNs - a.fromNs)} later`);
  switch (a.kind) {
    case 'CREATE':
      return [h('strong', `${name(a.fromG, a.fromP, a.fromM)} created ${name(a.toG, a.toP, a.toM)}`), later('it ran')];
    case 'WAKE':
      return [h('strong', `${name(a.fromG, a.fromP, a.fromM)} woke ${name(a.toG, a.toP, a.toM)}`), a.text ? h('div', `it had waited for: ${a.text}`) : null, later('it ran')].filter((line) => line !== null);
    case 'STEAL':
      return [h('strong', `P${a.toP} stole work of P${a.fromP}`), h('div', a.text), a.toG >= 0 ? later(`${app.names.label(a.toG)} ran`) : null].filter((line) => line !== null);
    default:
      return [h('strong', `P${a.fromP} went from ${a.fromM >= 0 ? `M${a.fromM}` : 'a thread'} to ${a.toM >= 0 ? `M${a.toM}` : 'no thread yet'}`), a.text ? h('div', a.text) : null, a.toM >= 0 ? later('it went on') : null].filter((line) => line !== null);
  }
}

/** The box that follows the mouse. */
export class Tooltip {
  readonly element = h('div.tl-tooltip', { hidden: true });

  show(content: Node[] | null, x: number, y: number, stage: HTMLElement) {
    this.element.hidden = !content;
    if (!content) return;
    this.element.replaceChildren(...content);
    const left = x + 14;
    const flip = left + 280 > stage.clientWidth;
    this.element.style.transform = `translate(${flip ? left - this.element.offsetWidth - 28 : left}px, ${Math.min(y + 16, stage.clientHeight - this.element.offsetHeight - 4)}px)`;
  }
}

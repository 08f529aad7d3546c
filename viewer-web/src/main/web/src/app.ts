// What all pages share: the trace's description, the view state and how to change it.

import type { Info } from './answers';
import { AddressBar } from './history';
import { Names } from './timeline/names';
import { clockFrom, type Clock } from './time';
import { decode, encode, emptyState, type ViewState } from './url';

export class App extends EventTarget {
  state: ViewState = emptyState();
  info!: Info;
  names = new Names();
  wall: Clock['wall'] = null;
  readonly address = new AddressBar();
  /** While a change is told that came by the address: a link, Back, Forward. */
  fromAddress = false;

  begin(info: Info) {
    this.info = info;
    this.wall = clockFrom(info.wallAtZeroNs);
    this.state = decode(location.hash);
    this.address.begin();
    addEventListener('popstate', () => this.restore());
    addEventListener('hashchange', () => this.restore());
  }

  get clock(): Clock {
    return { wall: this.wall, mode: this.state.clock };
  }

  /** Changes the view. `push` makes it a step that Back undoes; `replace` only keeps the address true. */
  go(patch: Partial<ViewState>, how: 'push' | 'replace' = 'push') {
    const before = this.state;
    this.state = { ...before, ...topOf(patch), ...patch };
    if (patch.page && patch.page !== before.page && !patch.params) this.state.params = {};
    const hash = encode(this.state);
    if (how === 'replace') this.address.replace(hash);
    else if (hash !== encode(before)) this.address.push(hash);
    this.changed(before);
  }

  link(patch: Partial<ViewState>): string {
    const params = patch.page && patch.page !== this.state.page ? {} : this.state.params;
    return encode({ ...this.state, params, ...topOf(patch), ...patch });
  }

  /** A window around [from, to) with some air, for "show me that". */
  around(from: number, to: number, air = 1): [number, number] {
    const span = Math.max(to - from, 50);
    return [Math.max(-span, from - span * air), to + span * air];
  }

  /** Tells everybody again what they know, for those that could not load it. */
  again() {
    this.changed(this.state);
  }

  private restore() {
    this.address.moved();
    const next = decode(location.hash);
    if (encode(next) === encode(this.state)) return;
    const before = this.state;
    this.state = next;
    this.fromAddress = true;
    this.changed(before);
    this.fromAddress = false;
  }

  private changed(before: ViewState) {
    this.dispatchEvent(new CustomEvent('change', { detail: before }));
  }
}

/** Whoever shows other lanes or a span does not mean the lane that was on top before. */
function topOf(patch: Partial<ViewState>): Partial<ViewState> {
  return patch.view || patch.span || patch.filter ? { top: null } : {};
}

export const app = new App();

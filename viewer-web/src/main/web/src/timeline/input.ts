// Mouse, wheel and keys of the timeline, as people know them from Perfetto.

import { app } from '../app';
import { dragging, isTyping } from '../dom';
import type { Timeline } from './timeline';

const PAN_PX_PER_MS = 1.1;
const ZOOM_PER_MS = 0.0035;
/** So near to a mark, M means that mark. */
const MARK_PX = 5;

export class TimelineInput {
  private readonly held = new Map<string, number>();
  private lastFrame = 0;
  private pointerX = 0;
  /** What the last click selected: the first of a double click may move what lies under the second. */
  private clicked: { lane: string; at: number } | null = null;

  constructor(private readonly timeline: Timeline) {
    const { scroller } = timeline;
    scroller.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    scroller.addEventListener('pointerdown', (e) => this.pointerDown(e));
    scroller.addEventListener('pointermove', (e) => this.pointerMove(e));
    scroller.addEventListener('pointerleave', () => timeline.setHover(null));
    scroller.addEventListener('dblclick', (e) => this.doubleClick(e));
    addEventListener('keydown', (e) => this.keyDown(e));
    addEventListener('keyup', (e) => this.held.delete(e.key.toLowerCase()));
    addEventListener('blur', () => this.held.clear());
  }

  /** Moves the window while keys are held; true while there is more to move. */
  animate(time: number): boolean {
    const elapsed = Math.min(50, time - this.lastFrame);
    this.lastFrame = time;
    if (!this.held.size) return false;
    let win = this.timeline.win;
    const anchor = this.pointerX > 0 && this.pointerX < win.width ? this.pointerX : win.width / 2;
    for (const [key, since] of this.held) {
      // The longer held, the faster, up to three times.
      const speed = elapsed * Math.min(3, 1 + (time - since) / 600);
      if (key === 'a') win = win.pan(-PAN_PX_PER_MS * speed);
      if (key === 'd') win = win.pan(PAN_PX_PER_MS * speed);
      if (key === 'w') win = win.zoom(Math.exp(-ZOOM_PER_MS * speed), anchor);
      if (key === 's') win = win.zoom(Math.exp(ZOOM_PER_MS * speed), anchor);
    }
    this.timeline.setWindow(win);
    return true;
  }

  private x(e: MouseEvent): number {
    return e.clientX - this.timeline.scroller.getBoundingClientRect().left - this.timeline.labelWidth;
  }

  private y(e: MouseEvent): number {
    return e.clientY - this.timeline.scroller.getBoundingClientRect().top;
  }

  private wheel(e: WheelEvent) {
    const unit = e.deltaMode === 1 ? 16 : 1;
    if (e.ctrlKey || e.metaKey) {
      e.preventDefault();
      this.timeline.setWindow(this.timeline.win.zoom(Math.exp(e.deltaY * unit * 0.004), Math.max(0, this.x(e))));
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      e.preventDefault();
      this.timeline.setWindow(this.timeline.win.pan((e.deltaX || e.deltaY) * unit));
    }
  }

  private pointerMove(e: PointerEvent) {
    const x = this.x(e);
    this.pointerX = x;
    if (e.buttons === 0) this.timeline.setHover(x >= 0 ? x : null, this.y(e));
  }

  private pointerDown(down: PointerEvent) {
    const x0 = this.x(down);
    if (x0 < 0 || x0 > this.timeline.win.width || down.button !== 0) return;
    const { timeline } = this;
    const start = timeline.win;
    const scroll = timeline.scroller.scrollTop;
    const selecting = down.shiftKey;
    let moved = false;
    let range: [number, number] | null = null;
    timeline.scroller.focus({ preventScroll: true });
    const move = (e: PointerEvent) => {
      const dx = this.x(e) - x0;
      if (!moved && Math.abs(dx) < 4 && Math.abs(e.clientY - down.clientY) < 4) return;
      moved = true;
      timeline.setHover(null);
      timeline.scroller.classList.toggle('panning', !selecting);
      if (selecting) {
        const [a, b] = [start.ns(x0), start.ns(this.x(e))].sort((p, q) => p - q).map((t) => Math.round(Math.min(Math.max(t, 0), timeline.duration)));
        range = b > a ? [a, b] : null;
        timeline.setDraft(range);
      } else {
        timeline.setWindow(start.pan(-dx));
        timeline.scroller.scrollTop = scroll - (e.clientY - down.clientY);
      }
    };
    dragging(move, (e, cancelled) => {
      timeline.scroller.classList.remove('panning');
      if (selecting) timeline.setDraft(null);
      if (cancelled) return;
      if (!moved) this.click(e);
      else if (range) app.go({ range, span: null });
    });
  }

  private click(e: PointerEvent) {
    this.clicked = this.timeline.spanAt(this.x(e), this.y(e));
    if (this.clicked) app.go({ span: this.clicked, range: null });
    else if (app.state.span) app.go({ span: null });
  }

  private doubleClick(e: MouseEvent) {
    const x = this.x(e);
    if (x >= 0) void this.timeline.fitSpan(this.clicked, x);
  }

  private keyDown(e: KeyboardEvent) {
    if (app.state.page !== 'timeline' || isTyping(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (document.querySelector('dialog[open]')) return;
    const { timeline } = this;
    const key = e.key.toLowerCase();
    if ('wasd'.includes(key) && key.length === 1) {
      if (!this.held.has(key)) {
        this.held.set(key, performance.now());
        this.lastFrame = performance.now() - 16;
        timeline.redraw();
      }
      return;
    }
    switch (key) {
      case 'f':
        timeline.fitSelection();
        break;
      case '0':
        timeline.fitWhole();
        break;
      case 'm':
        this.mark();
        break;
      case 'r':
        this.rangeFromSpan();
        break;
      case '1':
      case '2':
      case '3':
        app.go({ view: (['p', 'm', 'g'] as const)[Number(key) - 1] });
        break;
      case 'e':
        app.go({ params: { ...app.state.params, sched: app.state.params.sched ? '' : '1' } }, 'replace');
        break;
      case 'u':
        if (e.shiftKey) history.forward();
        else app.address.undo();
        break;
      case 'arrowleft':
      case 'arrowright':
        document.dispatchEvent(new CustomEvent('gmptrace:step', { detail: key === 'arrowright' ? 'nextInLane' : 'prevInLane' }));
        break;
      case '[':
      case ']':
        document.dispatchEvent(new CustomEvent('gmptrace:step', { detail: key === ']' ? 'nextOfG' : 'prevOfG' }));
        break;
      case 'escape':
        if (app.state.range || app.state.span) app.go({ range: null, span: null });
        break;
      default:
        return;
    }
    e.preventDefault();
  }

  /** Marks the selected span or what the mouse points at; a mark that is there already is removed. */
  private mark() {
    const { span, marks } = app.state;
    const { win } = this.timeline;
    const pointed = this.pointerX > 0 && this.pointerX < win.width ? Math.round(win.ns(this.pointerX)) : null;
    const near = (at: number) => marks.find((m) => Math.abs(m - at) <= MARK_PX * win.nsPerPx);
    const at = span ? span.at : (pointed ?? Math.round(win.ns(win.width / 2)));
    const there = (pointed === null ? undefined : near(pointed)) ?? near(at);
    app.go({ marks: there === undefined ? [...marks, at].sort((a, b) => a - b) : marks.filter((m) => m !== there) });
  }

  private rangeFromSpan() {
    document.dispatchEvent(new CustomEvent('gmptrace:range-from-span'));
  }
}

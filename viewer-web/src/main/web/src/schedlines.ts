// schedtrace lines of the timeline's window: a page of its own, and a panel below the timeline that
// scrolls in step with it.

import { api } from './api';
import { app } from './app';
import { debounce, h, replace } from './dom';
import { failed } from './pages/page';
import { duration } from './time';

const LINES = 400;
const ABOUT = 60;

export class SchedLines {
  readonly element = h('div.sched-lines', { tabindex: '0', 'aria-label': 'schedtrace lines' });
  readonly note = h('span.muted');
  private shown = '';
  private abort = new AbortController();
  private times: number[] = [];
  private current = -1;

  constructor(actions: { choose(ns: number): void; point?(ns: number | null): void }) {
    this.element.addEventListener('click', (e) => {
      const ns = nsOf(e);
      if (ns !== null && !String(getSelection())) actions.choose(ns);
    });
    this.element.addEventListener('pointermove', (e) => actions.point?.(nsOf(e)));
    this.element.addEventListener('pointerleave', () => actions.point?.(null));
  }

  /** Shows the lines of the window, a line every `step` ns (0: as fits), with details if wanted. */
  show(step: number, detail: string | undefined) {
    const key = JSON.stringify([step, detail, app.state.window]);
    if (key === this.shown) return;
    this.shown = key;
    const [from, to] = (app.state.window ?? [0, app.info.durationNs]).map((t) => Math.min(Math.max(0, t), app.info.durationNs));
    const wanted = step || niceStep((to - from) / ABOUT);
    const used = Math.max(wanted, (to - from) / LINES);
    this.note.textContent = `${app.state.window ? 'the timeline’s window' : 'the whole trace'}, a line every ${duration(used)}${used > wanted ? ` (at most ${LINES} lines are shown)` : ''}. A click marks the instant on the timeline.`;
    this.load({ from, to, step: used, detail });
  }

  private readonly load = debounce(60, (params: { from: number; to: number; step: number; detail: string | undefined }) => {
    this.abort.abort();
    this.abort = new AbortController();
    api
      .schedtrace(params, this.abort.signal)
      .then((answer) => this.fill(answer))
      .catch((e: Error) => {
        if (e.name === 'AbortError') return;
        this.shown = '';
        replace(this.element, failed(e));
      });
  });

  private fill(answer: any) {
    this.times = answer.lines.map((l: any) => l.ns);
    this.current = -1;
    replace(
      this.element,
      answer.queueLengths ? null : h('p.muted', 'Go traces do not record queue lengths; they are shown as 0.'),
      answer.lines.length ? answer.lines.map((l: any) => h('pre', { 'data-ns': l.ns, title: `Mark ${duration(l.ns)} on the timeline` }, l.text)) : h('p.muted', 'No lines.'),
    );
    this.follow(app.state.span?.at ?? app.state.marks[app.state.marks.length - 1] ?? null);
  }

  /** Lights up the line in force at an instant and brings it on screen. */
  follow(ns: number | null) {
    let at = -1;
    if (ns !== null) while (at + 1 < this.times.length && this.times[at + 1] <= ns) at++;
    if (at === this.current) return;
    this.current = at;
    const lines = this.element.querySelectorAll('pre');
    lines.forEach((line, i) => line.classList.toggle('now', i === at));
    const line = lines[at];
    if (!line) return;
    const box = this.element.getBoundingClientRect();
    const own = line.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) this.element.scrollTop += own.top - box.top - box.height / 2;
  }
}

function nsOf(e: Event): number | null {
  const line = (e.target as HTMLElement).closest<HTMLElement>('[data-ns]');
  return line ? Number(line.dataset.ns) : null;
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1000)));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
}

/** The state in which the instant is marked, and in the window. */
export function marked(ns: number) {
  const w = app.state.window ?? [0, app.info.durationNs];
  const window: [number, number] | null = ns >= w[0] && ns <= w[1] ? app.state.window : [ns - (w[1] - w[0]) / 2, ns + (w[1] - w[0]) / 2];
  return { marks: [...new Set([...app.state.marks, ns])].sort((a, b) => a - b), window };
}

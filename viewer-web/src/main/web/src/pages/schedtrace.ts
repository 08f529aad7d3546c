import { api } from '../api';
import { app } from '../app';
import { h, replace } from '../dom';
import { duration } from '../time';
import type { Page } from './pages';

const STEPS: [number, string][] = [
  [0, 'automatic'],
  [100e3, '100 µs'],
  [1e6, '1 ms'],
  [10e6, '10 ms'],
  [100e6, '100 ms'],
  [1e9, '1 s'],
];
const LINES = 400;

/** The lines `GODEBUG=schedtrace` would have printed, in step with the timeline's window. */
export function schedtracePage(): Page {
  const step = h('select', { 'aria-label': 'Step', onchange: () => app.go({ params: { ...app.state.params, step: step.value } }, 'replace') }, ...STEPS.map(([v, t]) => h('option', { value: v }, t)));
  const detail = h('input', { type: 'checkbox', onchange: () => app.go({ params: { ...app.state.params, detail: detail.checked ? '1' : '' } }, 'replace') });
  const note = h('span.muted');
  const lines = h('div.sched-lines', { tabindex: '0', 'aria-label': 'schedtrace lines' });
  const element = h('article.schedtrace', h('div.filters', h('label', 'every ', step), h('label', detail, ' scheddetail'), note), lines);
  let shown = '';
  let abort = new AbortController();

  lines.addEventListener('click', (e) => {
    const line = (e.target as HTMLElement).closest<HTMLElement>('[data-ns]');
    if (!line || String(getSelection())) return;
    const ns = Number(line.dataset.ns);
    app.go({ page: 'timeline', marks: [...new Set([...app.state.marks, ns])].sort((a, b) => a - b), window: around(ns) });
  });

  return {
    element,
    update() {
      const key = JSON.stringify([app.state.params, app.state.window]);
      if (key === shown) return;
      shown = key;
      step.value = app.state.params.step || '0';
      detail.checked = !!app.state.params.detail;
      const [from, to] = (app.state.window ?? [0, app.info.durationNs]).map((t) => Math.min(Math.max(0, t), app.info.durationNs));
      const wanted = Number(app.state.params.step || 0) || niceStep((to - from) / 60);
      const used = Math.max(wanted, (to - from) / LINES);
      note.textContent = `${app.state.window ? 'the timeline’s window' : 'the whole trace'}, a line every ${duration(used)}${used > wanted ? ` (at most ${LINES} lines are shown)` : ''}. A click marks the instant on the timeline.`;
      abort.abort();
      abort = new AbortController();
      api
        .schedtrace({ from, to, step: used, detail: app.state.params.detail }, abort.signal)
        .then((answer) => replace(lines, answer.queueLengths ? null : h('p.muted', 'Go traces do not record queue lengths; they are shown as 0.'), answer.lines.length ? answer.lines.map((l: any) => h('pre', { 'data-ns': l.ns, title: `Mark ${duration(l.ns)} on the timeline` }, l.text)) : h('p.muted', 'No lines.')))
        .catch((e: Error) => e.name !== 'AbortError' && ((shown = ''), replace(lines, h('p.error', e.message))));
    },
  };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1000)));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
}

function around(ns: number): [number, number] {
  const w = app.state.window ?? [0, app.info.durationNs];
  if (ns >= w[0] && ns <= w[1]) return w;
  return [ns - (w[1] - w[0]) / 2, ns + (w[1] - w[0]) / 2];
}

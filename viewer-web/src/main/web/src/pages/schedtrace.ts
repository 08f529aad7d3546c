import { app } from '../app';
import { h } from '../dom';
import { marked, SchedLines } from '../schedlines';
import type { Page } from './pages';

const STEPS: [number, string][] = [
  [0, 'automatic'],
  [100e3, '100 µs'],
  [1e6, '1 ms'],
  [10e6, '10 ms'],
  [100e6, '100 ms'],
  [1e9, '1 s'],
];

/** The lines `GODEBUG=schedtrace` would have printed, of the timeline's window. */
export function schedtracePage(): Page {
  const step = h('select', { 'aria-label': 'Step', onchange: () => app.go({ params: { ...app.state.params, step: step.value } }, 'replace') }, ...STEPS.map(([v, t]) => h('option', { value: v }, t)));
  const detail = h('input', { type: 'checkbox', onchange: () => app.go({ params: { ...app.state.params, detail: detail.checked ? '1' : '' } }, 'replace') });
  const lines = new SchedLines({ choose: (ns) => app.go({ page: 'timeline', params: { sched: '1' }, ...marked(ns) }) });
  return {
    element: h('article.schedtrace', h('div.filters', h('label', 'every ', step), h('label', detail, ' scheddetail'), lines.note), lines.element),
    update() {
      const { params } = app.state;
      step.value = params.step || '0';
      detail.checked = !!params.detail;
      lines.show(Number(params.step || 0), params.detail);
    },
  };
}

import { app } from '../app';
import { Details } from '../details';
import { debounce, dot, h, replace } from '../dom';
import { marked, SchedLines } from '../schedlines';
import { Timeline } from '../timeline/timeline';
import type { View } from '../url';
import type { Page } from './pages';

const VIEWS: [View, string, string][] = [
  ['p', 'Processors', '1'],
  ['m', 'Threads', '2'],
  ['g', 'Goroutines', '3'],
];

const ORDERS: [string, string][] = [
  ['ID', 'by id'],
  ['START', 'by start'],
  ['LIFE', 'by life time'],
  ['RUNNING', 'by running time'],
  ['RUNNABLE', 'by runnable time'],
  ['WAITING', 'by waiting time'],
  ['SYSCALL', 'by syscall time'],
  ['NAME', 'by function'],
];

const STATES: [string, string][] = [
  ['', 'any state'],
  ['RUNNING', 'ran'],
  ['RUNNABLE', 'was runnable'],
  ['SYSCALL', 'was in a syscall'],
  ['PREEMPTED', 'was preempted'],
  ['WAIT_SYNC', 'waited: sync'],
  ['WAIT_NET', 'waited: network'],
  ['WAIT_SLEEP', 'slept'],
];

export function timelinePage(): Page {
  const timeline = new Timeline();
  const details = new Details(timeline);
  const bar = toolbar();
  const sched = schedPanel(timeline);
  // The tests and the benchmark look inside through this.
  (window as unknown as { gmptrace: unknown }).gmptrace = { timeline, app };
  return {
    element: h('div.timeline-page', bar.element, timeline.element, sched.element, details.element),
    update(before) {
      bar.update();
      void timeline.stateChanged(before);
      details.update();
      sched.update();
    },
  };
}

/** schedtrace lines below the lanes: the line of the instant under the mouse, and the other way round. */
function schedPanel(timeline: Timeline) {
  const lines = new SchedLines({ choose: (ns) => app.go(marked(ns)), point: (ns) => timeline.pointAt(ns) });
  document.addEventListener('gmptrace:cursor', (e) => lines.follow((e as CustomEvent<number | null>).detail ?? app.state.span?.at ?? null));
  const element = h('section.sched-panel', { 'aria-label': 'schedtrace', hidden: true }, lines.element);
  return {
    element,
    update() {
      element.hidden = !app.state.params.sched;
      if (element.hidden) return;
      lines.show(0, undefined);
      lines.follow(app.state.span?.at ?? null);
    },
  };
}

/** The states that lanes of a kind can be in; ranges and tasks are in every view. */
const ON_LANES: Record<View, string[]> = {
  p: ['RUNNING', 'SYSCALL', 'SCHEDULING', 'IDLE', 'UNKNOWN'],
  m: ['RUNNING', 'SYSCALL', 'SYSCALL_NO_P', 'SCHEDULING', 'SPINNING', 'IDLE', 'UNKNOWN'],
  g: ['RUNNING', 'RUNNABLE', 'PREEMPTED', 'SYSCALL', 'SYSCALL_NO_P', 'WAIT_SYNC', 'WAIT_NET', 'WAIT_SLEEP', 'WAIT_GC', 'WAIT_OTHER', 'UNKNOWN'],
};

/** Every colour that the lanes of this view, and the pinned ones, may show. */
function showLegend(legend: HTMLElement) {
  const kinds = new Set<string>([app.state.view, ...app.state.pinned.map((key) => key[0])]);
  const shown = new Set(['ACTIVE', ...Object.entries(ON_LANES).flatMap(([kind, states]) => (kinds.has(kind) ? states : []))]);
  const key = [...shown].join();
  if (legend.dataset.states === key) return;
  legend.dataset.states = key;
  replace(legend, ...app.info.states.filter((s) => shown.has(s.name)).map((s) => h('span', { role: 'listitem' }, dot(s.name), s.name === 'ACTIVE' ? 'range or task' : s.label)));
}

function toolbar() {
  const views = VIEWS.map(([view, name, key]) => h('button', { onclick: () => app.go({ view }), title: `Lanes per ${name.toLowerCase()} (${key})` }, name));
  const setFilter = (key: string, value: string) => app.go({ filter: { ...app.state.filter, [key]: value } }, 'replace');
  const text = h('input', { type: 'search', placeholder: 'Filter by function, id or label', 'aria-label': 'Filter goroutines', oninput: debounce(250, () => setFilter('text', text.value)) });
  const state = h('select', { 'aria-label': 'State', onchange: () => setFilter('state', state.value) }, ...STATES.map(([v, t]) => h('option', { value: v }, t)));
  const order = h('select', { 'aria-label': 'Order', onchange: () => app.go({ filter: { ...app.state.filter, order: order.value, desc: order.value === 'ID' || order.value === 'START' || order.value === 'NAME' ? '' : 'true' } }, 'replace') }, ...ORDERS.map(([v, t]) => h('option', { value: v }, t)));
  const min = h('select', { 'aria-label': 'Life time', onchange: () => setFilter('min', min.value) }, ...[['', 'any life time'], ['1000000', '≥ 1 ms'], ['10000000', '≥ 10 ms'], ['100000000', '≥ 100 ms'], ['1000000000', '≥ 1 s']].map(([v, t]) => h('option', { value: v }, t)));
  const here = h('input', { type: 'checkbox', onchange: () => setFilter('here', here.checked ? '' : '0') });
  const reason = h('button.quiet', { title: 'Show the others again', onclick: () => setFilter('reason', '') });
  const filters = h('span.filters', text, state, min, order, h('label', { title: 'Only goroutines that exist in the visible window' }, here, ' alive here'), reason);
  const showAll = h('button.quiet', { onclick: () => app.go({ hidden: app.state.hidden.filter((k) => k.startsWith('s:')) }) }, 'Show hidden lanes');
  const sched = h('button.quiet', { title: 'schedtrace lines below the lanes (E)', onclick: () => app.go({ params: { ...app.state.params, sched: app.state.params.sched ? '' : '1' } }, 'replace') }, 'schedtrace');
  const legend = h('span.legend', { role: 'list', 'aria-label': 'What the colours mean' });
  return {
    element: h('div.tl-toolbar', h('span.segmented', { role: 'group', 'aria-label': 'Lanes' }, ...views), sched, filters, showAll, legend),
    update() {
      VIEWS.forEach(([view], i) => views[i].setAttribute('aria-pressed', String(view === app.state.view)));
      sched.setAttribute('aria-pressed', String(!!app.state.params.sched));
      filters.hidden = app.state.view !== 'g';
      showLegend(legend);
      const { filter } = app.state;
      if (document.activeElement !== text) text.value = filter.text ?? '';
      state.value = filter.state ?? '';
      order.value = filter.order ?? 'ID';
      min.value = filter.min ?? '';
      here.checked = filter.here !== '0';
      reason.hidden = !filter.reason;
      reason.textContent = `waited for ${filter.reason} ×`;
      showAll.hidden = !app.state.hidden.some((k) => !k.startsWith('s:'));
    },
  };
}

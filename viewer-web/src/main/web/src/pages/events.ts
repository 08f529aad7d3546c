import { api } from '../api';
import { app } from '../app';
import type { EventPage } from '../answers';
import { debounce, h, replace } from '../dom';
import { goroutineLink, instantLink } from '../links';
import { count, instant } from '../time';
import { failed, rangeNote, whenBack } from './page';
import type { Page } from './pages';

const PAGE = 500;
const FILTERS: [key: string, placeholder: string, width: number][] = [
  ['text', 'Text', 220],
  ['kind', 'Kind', 220],
  ['g', 'Goroutine', 100],
  ['p', 'P', 60],
  ['m', 'M', 80],
];

/** Every event of the window, filtered, a page at a time. The place of the page is in the address. */
export function eventsPage(): Page {
  const inputs = FILTERS.map(([key, placeholder, width]) => {
    const input: HTMLInputElement = h('input', { type: 'search', placeholder, 'aria-label': placeholder, style: `width:${width}px`, oninput: debounce(250, () => go({ [key]: input.value.trim(), after: '' })) });
    input.dataset.key = key;
    return input;
  });
  inputs[1].setAttribute('list', 'event-kinds');
  const kinds = h('datalist', { id: 'event-kinds' });
  const note = h('div');
  const body = h('tbody');
  const status = h('span', { role: 'status' });
  const first = h('button.quiet', { onclick: () => go({ after: '' }, 'push') }, 'First');
  const previous = h('button.quiet', { onclick: () => go({ after: before.pop() ?? '' }, 'push') }, 'Previous');
  const next = h('button.quiet', { onclick: () => (before.push(app.state.params.after ?? ''), go({ after: following }, 'push')) }, 'Next');
  const element = h(
    'article.events',
    h('div.filters', ...inputs, kinds),
    note,
    h('nav.pager', { 'aria-label': 'Pages of events' }, first, previous, next, status),
    h('div.table-box', h('table', { 'aria-label': 'Events' }, h('thead', h('tr', h('th.num', 'Time'), h('th', 'Kind'), h('th.num', 'P'), h('th.num', 'M'), h('th', 'Goroutine'), h('th', 'What'))), body)),
  );
  /** Where the pages began that were seen before this one. */
  let before: string[] = [];
  let following = '';
  let shown = '';
  let abort = new AbortController();

  function go(change: Record<string, string>, how: 'push' | 'replace' = 'replace') {
    app.go({ params: { ...app.state.params, ...change } }, how);
  }

  /** A filter that hardly anything passes is answered in pieces; whoever leaves stops the search. */
  async function load(signal: AbortSignal) {
    const [start, to] = app.state.range ?? app.state.window ?? [0, app.info.durationNs + 1];
    const { after, ...filter } = Object.fromEntries([...FILTERS.map(([key]) => key), 'after'].map((key) => [key, app.state.params[key]]));
    for (const id of ['g', 'p', 'm']) filter[id] = filter[id]?.replace(/^[gpm]/i, '');
    let rows = 0;
    let page: EventPage | null = null;
    do {
      page = await api.events({ ...filter, from: Math.max(0, start), to, after: page?.next ?? after, limit: PAGE - rows }, signal);
      if (signal.aborted) return;
      if (!kinds.children.length) replace(kinds, page.kinds.map((value) => h('option', { value })));
      body.append(...page.rows.map(row));
      rows += page.rows.length;
      following = page.next;
      status.textContent = `${count(rows)} ${rows === 1 ? 'event' : 'events'}, looking further from ${instant(page.untilNs, 1e6, app.clock)} …`;
    } while (page.more && rows < PAGE);
    first.disabled = !after;
    previous.disabled = !before.length;
    next.disabled = !page.more;
    status.textContent = !rows ? (after ? 'No further event matches.' : 'No event matches.') : `${count(rows)} ${rows === 1 ? 'event' : 'events'}${page.more ? ', and more' : after ? ', the last' : ''}`;
  }

  function row(r: EventPage['rows'][0]): HTMLElement {
    return h('tr', h('td.num', instantLink(r.ns, r.g >= 0 ? `g:${r.g}` : r.p >= 0 ? `p:${r.p}` : null, 1)), h('td', r.kind), h('td.num', r.p >= 0 ? r.p : ''), h('td.num', r.m >= 0 ? r.m : ''), h('td', r.g >= 0 ? goroutineLink(r.g) : ''), h('td.what', r.text));
  }

  function update() {
    const { params, range, window, clock } = app.state;
    const key = JSON.stringify([params, range ?? window, clock]);
    if (key === shown) return;
    shown = key;
    if (!params.after) before = [];
    for (const input of inputs) if (document.activeElement !== input) input.value = params[input.dataset.key!] ?? '';
    replace(note, rangeNote() ?? (window ? h('p.range-note', 'Restricted to the window of the timeline. ', h('a', { href: app.link({ window: null }) }, 'Whole trace')) : null));
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    body.replaceChildren();
    first.disabled = previous.disabled = next.disabled = true;
    status.textContent = 'Loading…';
    load(signal).catch((e: Error) => {
      if (signal.aborted) return;
      shown = '';
      replace(status, failed(e));
      whenBack(e, () => shown === '' && update());
    });
  }

  return { element, update };
}

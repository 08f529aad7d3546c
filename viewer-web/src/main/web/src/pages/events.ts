import { api } from '../api';
import { app } from '../app';
import { debounce, h, replace } from '../dom';
import { goroutineLink, instantLink } from '../links';
import { count } from '../time';
import { rangeNote } from './page';
import type { Page } from './pages';

const PAGE = 300;

/** Every event of the window, filtered, a page at a time; scrolling to the end asks for more. */
export function eventsPage(): Page {
  const field = (key: string, placeholder: string, width: number) => {
    const input: HTMLInputElement = h('input', { type: 'search', placeholder, 'aria-label': placeholder, style: `width:${width}px`, oninput: debounce(250, () => app.go({ params: { ...app.state.params, [key]: input.value } }, 'replace')) });
    input.dataset.key = key;
    return input;
  };
  const inputs = [field('text', 'Text', 220), field('kind', 'Kind', 140), field('g', 'Goroutine', 100), field('p', 'P', 60), field('m', 'M', 80)];
  const kinds = h('datalist', { id: 'event-kinds' });
  inputs[1].setAttribute('list', 'event-kinds');
  const known = new Set<string>();
  const note = h('div');
  const body = h('tbody');
  const end = h('div.more-events');
  const element = h('article.events', h('div.filters', ...inputs, kinds), note, h('div.table-box', h('table', { 'aria-label': 'Events' }, h('thead', h('tr', h('th.num', 'Time'), h('th', 'Kind'), h('th.num', 'P'), h('th.num', 'M'), h('th', 'Goroutine'), h('th', 'What'))), body)), end);
  let shown = '';
  let last = -1;
  let shownRows = 0;
  let hasMore = false;
  let loading = false;
  let abort = new AbortController();
  new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && hasMore && void more(), { rootMargin: '600px' }).observe(end);

  async function more() {
    if (loading) return;
    loading = true;
    const { signal } = abort;
    const [start, to] = app.state.range ?? app.state.window ?? [0, app.info.durationNs + 1];
    // Times are unique, so a page goes on right after the last row of the one before.
    const from = Math.max(0, start, last + 1);
    try {
      const page = await api.events({ ...app.state.params, from, to, limit: PAGE }, signal);
      if (signal.aborted) return;
      body.append(...page.rows.map((r) => h('tr', h('td.num', instantLink(r.ns, r.g >= 0 ? `g:${r.g}` : r.p >= 0 ? `p:${r.p}` : null, 1)), h('td', r.kind), h('td.num', r.p >= 0 ? r.p : ''), h('td.num', r.m >= 0 ? r.m : ''), h('td', r.g >= 0 ? goroutineLink(r.g) : ''), h('td.what', r.text))));
      for (const { kind } of page.rows) if (!known.has(kind)) known.add(kind), kinds.append(h('option', { value: kind }));
      shownRows += page.rows.length;
      last = page.rows[page.rows.length - 1]?.ns ?? last;
      end.textContent = page.more ? 'Loading more…' : shownRows ? `${count(shownRows)} events` : 'No event matches.';
      hasMore = page.more;
    } catch (e) {
      if (!signal.aborted) end.textContent = (e as Error).message;
    } finally {
      loading = false;
    }
  }

  return {
    element,
    update() {
      const { params, range, window, clock } = app.state;
      const key = JSON.stringify([params, range ?? window, clock]);
      if (key === shown) return;
      shown = key;
      for (const input of inputs) if (document.activeElement !== input) input.value = params[input.dataset.key!] ?? '';
      replace(note, rangeNote() ?? (window ? h('p.range-note', 'Restricted to the window of the timeline. ', h('a', { href: app.link({ window: null }) }, 'Whole trace')) : null));
      abort.abort();
      abort = new AbortController();
      body.replaceChildren();
      last = -1;
      shownRows = 0;
      hasMore = false;
      loading = false;
      void more();
    },
  };
}

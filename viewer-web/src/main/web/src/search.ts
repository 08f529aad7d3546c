import { api } from './api';
import { app } from './app';
import type { Hit } from './answers';
import { debounce, h } from './dom';
import { duration, instant } from './time';

/** How many are shown at once, and by how much more on request. */
const SOME = 40;
const MANY = 400;

const WORDS: Record<string, string> = {
  GOROUTINE: 'goroutine',
  FUNCTION: 'function',
  REASON: 'wait reason',
  LABEL: 'label',
  TASK: 'task',
  REGION: 'region',
  LOG: 'log',
  PROC: 'processor',
  THREAD: 'thread',
  RANGE: 'range',
};

/** The search field in the bar: goroutines by id or function, reasons, labels, tasks, regions, logs. */
export class Search {
  readonly input = h('input.search', { type: 'search', placeholder: 'Search goroutines, functions, reasons, tasks…', 'aria-label': 'Search', role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'search-results', autocomplete: 'off', spellcheck: 'false' });
  private readonly list = h('ul.search-results', { id: 'search-results', role: 'listbox', hidden: true });
  readonly element = h('div.search-box', this.input, h('kbd', '/'), this.list);
  private hits: Hit[] = [];
  private active = 0;
  private limit = SOME;
  private more = false;
  private abort = new AbortController();

  constructor() {
    const search = debounce(120, () => {
      this.limit = SOME;
      this.active = 0;
      void this.search();
    });
    this.input.addEventListener('input', search);
    this.input.addEventListener('focus', () => this.input.value && this.show());
    this.input.addEventListener('blur', () => setTimeout(() => this.hide(), 150));
    this.input.addEventListener('keydown', (e) => this.key(e));
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  private async search() {
    const q = this.input.value.trim();
    this.abort.abort();
    this.abort = new AbortController();
    if (!q) return this.hide();
    try {
      const hits = await api.search(q, this.limit + 1, this.abort.signal);
      this.more = hits.length > this.limit;
      this.hits = hits.slice(0, this.limit);
      this.active = Math.min(this.active, Math.max(0, this.hits.length - 1));
      this.show();
    } catch {
      // A newer search has taken over, or the server is away and the banner says so.
    }
  }

  private show() {
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.list.replaceChildren(
      ...(this.hits.length
        ? this.hits.map((hit, i) =>
            h('li', { id: optionId(i), role: 'option', 'aria-selected': String(i === this.active), onpointerdown: () => this.choose(hit) }, h('span.hit-kind', WORDS[hit.kind] ?? hit.kind.toLowerCase()), h('span.hit-title', hit.title), h('span.hit-detail', hit.detail, h('span.hit-time', when(hit)))),
          )
        : [h('li.muted', 'Nothing found.')]),
      this.more ? h('li.muted.hit-more', { role: 'option', id: optionId(this.hits.length), 'aria-selected': String(this.active === this.hits.length), onpointerdown: (e: Event) => this.showMore(e) }, this.limit < MANY ? `The first ${this.limit}; show more` : `The first ${this.limit}; type more to narrow them down`) : '',
    );
    if (this.hits.length) this.input.setAttribute('aria-activedescendant', optionId(this.active));
    else this.input.removeAttribute('aria-activedescendant');
    this.list.children[this.active]?.scrollIntoView({ block: 'nearest' });
  }

  private showMore(e: Event) {
    // The field keeps the focus, or the list would close.
    e.preventDefault();
    if (this.limit === MANY) return;
    this.limit = MANY;
    void this.search();
  }

  private hide() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  private key(e: KeyboardEvent) {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      this.active = Math.max(0, Math.min(this.hits.length - (this.more ? 0 : 1), this.active + (e.key === 'ArrowDown' ? 1 : -1)));
      this.show();
      e.preventDefault();
    } else if (e.key === 'Enter' && this.more && this.active === this.hits.length) {
      this.showMore(e);
    } else if (e.key === 'Enter' && this.hits[this.active]) {
      this.choose(this.hits[this.active]);
    } else if (e.key === 'Escape') {
      this.hide();
      this.input.blur();
      e.stopPropagation();
    }
  }

  private choose(hit: Hit) {
    this.hide();
    this.input.blur();
    if (hit.kind === 'FUNCTION') {
      // The range selected before may hold none of them.
      app.go({ page: 'goroutines', params: { group: hit.title }, range: null });
      return;
    }
    const lane = hit.lane;
    const view = lane?.startsWith('g:') ? 'g' : lane?.startsWith('m:') ? 'm' : lane?.startsWith('p:') ? 'p' : app.state.view;
    const whole = hit.kind === 'PROC' || hit.kind === 'THREAD';
    const end = Math.max(hit.endNs, hit.ns + 1);
    app.go({
      page: 'timeline',
      view,
      filter: view === 'g' ? {} : app.state.filter,
      window: whole ? app.state.window : app.around(hit.ns, end, 0.3),
      span: lane ? { lane, at: Math.max(0, hit.ns) } : null,
      range: lane ? null : [hit.ns, end],
    });
  }
}

const optionId = (i: number) => `search-result-${i}`;

/** What tells apart hits that read the same: when it was, and how long. */
function when(hit: Hit): string {
  if (['FUNCTION', 'GOROUTINE', 'PROC', 'THREAD'].includes(hit.kind)) return '';
  const at = instant(hit.ns, 1000, app.clock);
  return hit.endNs > hit.ns ? `${at} · ${duration(hit.endNs - hit.ns)}` : at;
}

import { api } from './api';
import { app } from './app';
import type { Hit } from './answers';
import { debounce, h } from './dom';

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
  readonly input = h('input.search', { type: 'search', placeholder: 'Search goroutines, functions, reasons, tasks…', 'aria-label': 'Search', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'search-results', autocomplete: 'off', spellcheck: 'false' });
  private readonly list = h('ul.search-results', { id: 'search-results', role: 'listbox', hidden: true });
  readonly element = h('div.search-box', this.input, h('kbd', '/'), this.list);
  private hits: Hit[] = [];
  private active = 0;
  private abort = new AbortController();

  constructor() {
    const search = debounce(120, () => void this.search());
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
      this.hits = await api.search(q, this.abort.signal);
      this.active = 0;
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
            h('li', { role: 'option', 'aria-selected': String(i === this.active), onpointerdown: () => this.choose(hit) }, h('span.hit-kind', WORDS[hit.kind] ?? hit.kind.toLowerCase()), h('span.hit-title', hit.title), h('span.hit-detail', hit.detail)),
          )
        : [h('li.muted', 'Nothing found.')]),
    );
    this.list.children[this.active]?.scrollIntoView({ block: 'nearest' });
  }

  private hide() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
  }

  private key(e: KeyboardEvent) {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      this.active = Math.max(0, Math.min(this.hits.length - 1, this.active + (e.key === 'ArrowDown' ? 1 : -1)));
      this.show();
      e.preventDefault();
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
    if (hit.kind === 'FUNCTION' && !hit.lane) {
      app.go({ page: 'goroutines', params: { text: hit.title } });
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

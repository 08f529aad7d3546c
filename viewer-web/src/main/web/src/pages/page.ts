import { connection, isRefusal, whyNot } from '../api';
import { app } from '../app';
import { h, replace } from '../dom';
import { duration } from '../time';
import type { FirstOf } from '../widgets/table';
import type { ViewState } from '../url';
import type { Page } from './pages';

/**
 * A page that loads when what it depends on changes. `key` names what it depends on; `load` makes the
 * content below `head`, which stays. A newer load makes an older one void, and what failed because the
 * server did not answer is loaded when it does again.
 */
export function loadingPage(options: { className: string; key: () => string; load: (signal: AbortSignal) => Promise<(Node | null)[]>; head?: Node[]; sync?: () => void }): Page {
  const body = h('div.body');
  const element = h(`article.${options.className}`, options.head ?? [], body);
  let shown: string | null = null;
  let empty = true;
  let abort = new AbortController();
  function update() {
    options.sync?.();
    const key = options.key();
    if (key === shown) return;
    shown = key;
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    if (empty) replace(body, h('p.muted.loading', 'Loading…'));
    body.classList.add('busy');
    options
      .load(signal)
      .then((content) => {
        if (signal.aborted) return;
        empty = false;
        replace(body, content);
      })
      .catch((e: Error) => {
        if (signal.aborted) return;
        shown = null;
        empty = true;
        replace(body, failed(e));
        whenBack(e, () => shown === null && update());
      })
      .finally(() => !signal.aborted && body.classList.remove('busy'));
  }
  return { element, update };
}

/** What to show instead of what could not be loaded. */
export function failed(e: Error): HTMLElement {
  return h('p.error', { role: 'alert' }, whyNot(e));
}

/**
 * When the server comes back every page is updated; but if it was back before this failure was noticed,
 * nobody will say so any more.
 */
export function whenBack(e: Error, again: () => void) {
  if (!isRefusal(e) && !connection.lost) setTimeout(again, 1000);
}

/** The selected range of the timeline, which restricts the page, with a way out. */
export function rangeNote(except?: string): HTMLElement | null {
  const { range } = app.state;
  if (!range) return null;
  return h('p.range-note', `Restricted to the selected ${duration(range[1] - range[0])} of the timeline${except ? `; ${except}` : ''}. `, h('a', { href: app.link({ range: null }) }, 'Whole trace'));
}

export function rangeParams(): { from?: number; to?: number } {
  const { range } = app.state;
  return range ? { from: range[0], to: range[1] } : {};
}

/** The order of a list that the server cuts, kept in the address. */
export function serverOrder(total: number, order: string, descending: boolean): FirstOf {
  const { params } = app.state;
  return {
    total,
    order: params.order ?? order,
    descending: params.desc === undefined ? descending : params.desc === 'yes',
    choose: (by, down) => app.go({ params: { ...app.state.params, order: by, desc: down ? 'yes' : 'no' } }, 'replace'),
  };
}

/** A count of what only gmp programs record. */
export function recorded(text: string): string {
  return app.info.format === 'go' ? 'not recorded' : text;
}

export function card(title: string, ...content: (Node | string | null)[]): HTMLElement {
  return h('section.card', h('h2', title), ...content);
}

export type { ViewState };

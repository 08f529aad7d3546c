import { app } from '../app';
import { h, replace } from '../dom';
import { duration } from '../time';
import type { ViewState } from '../url';
import type { Page } from './pages';

/**
 * A page that loads when what it depends on changes. `key` names what it depends on; `load` makes the
 * content. A newer load makes an older one void.
 */
export function loadingPage(options: { className: string; key: () => string; load: (signal: AbortSignal) => Promise<Node | Node[]> }): Page {
  const element = h(`article.${options.className}`);
  let shown: string | null = null;
  let abort = new AbortController();
  return {
    element,
    update() {
      const key = options.key();
      if (key === shown) return;
      const first = shown === null;
      shown = key;
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      if (first) replace(element, h('p.muted.loading', 'Loading…'));
      element.classList.add('busy');
      options
        .load(signal)
        .then((content) => !signal.aborted && replace(element, content))
        .catch((e: Error) => {
          if (signal.aborted) return;
          shown = null;
          replace(element, h('p.error', { role: 'alert' }, e.message));
        })
        .finally(() => !signal.aborted && element.classList.remove('busy'));
    },
  };
}

/** The selected range of the timeline, which restricts most pages, with a way out. */
export function rangeNote(): HTMLElement | null {
  const { range } = app.state;
  if (!range) return null;
  return h('p.range-note', `Restricted to the selected ${duration(range[1] - range[0])} of the timeline. `, h('a', { href: app.link({ range: null }) }, 'Whole trace'));
}

export function rangeParams(): { from?: number; to?: number } {
  const { range } = app.state;
  return range ? { from: range[0], to: range[1] } : {};
}

export function card(title: string, ...content: (Node | string | null)[]): HTMLElement {
  return h('section.card', h('h2', title), ...content);
}

export type { ViewState };

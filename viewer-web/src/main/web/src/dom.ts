// The whole of our "framework": an element maker, and a few things every component does.

type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, unknown>;

/** Makes an element: `h('a.link', {href, onclick}, 'text')`. `on…` attributes are listeners. */
export function h<T extends string>(tag: T, ...rest: (Attributes | Child)[]): ElementOf<T> {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const part of rest) {
    if (isAttributes(part)) setAttributes(element, part);
    else append(element, part);
  }
  return element as ElementOf<T>;
}

/** The element type of "canvas" or "canvas.some.class". */
type ElementOf<T extends string> = T extends `${infer Tag}.${string}` ? Named<Tag> : Named<T>;
type Named<Tag extends string> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement;

function isAttributes(part: Attributes | Child): part is Attributes {
  return typeof part === 'object' && part !== null && !Array.isArray(part) && !(part instanceof Node);
}

function setAttributes(element: Element, attributes: Attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'class') element.classList.add(...String(value).split(' ').filter(Boolean));
    else if (key === 'style') (element as HTMLElement).style.cssText += String(value);
    else if (key === 'value') (element as HTMLInputElement).value = String(value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
}

function append(element: Element, child: Child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const c of child) append(element, c);
  else element.append(child instanceof Node ? child : String(child));
}

/** The coloured square before a word: a state's, or that of a series. */
export function dot(color: string): HTMLElement {
  return /^[A-Z_]+$/.test(color) ? h(`i.dot.c-${color}`) : h('i.dot', { style: `background:var(--series-${color})` });
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function replace(element: Element, ...children: Child[]) {
  element.replaceChildren();
  append(element, children);
}

export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Calls `run` once things have been quiet for `ms`; `waiting` says whether a call is to come. */
export function debounce<A extends unknown[]>(ms: number, run: (...args: A) => void): ((...args: A) => void) & { waiting(): boolean } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (...args: A) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      run(...args);
    }, ms);
  };
  return Object.assign(later, { waiting: () => timer !== undefined });
}

/** True while the user is typing somewhere, so that letter keys are letters and not commands. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return !!target && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/**
 * Follows the pointer from a pointerdown to its end. The end is a cancellation when the browser took the
 * pointer for itself (a touch became a scroll), and when Escape was pressed.
 */
export function dragging(move: (e: PointerEvent) => void, end: (e: PointerEvent, cancelled: boolean) => void) {
  let last = new PointerEvent('pointerup');
  const moved = (e: PointerEvent) => move((last = e));
  const up = (e: PointerEvent) => finish(e, false);
  const cancel = (e: PointerEvent) => finish(e, true);
  const key = (e: KeyboardEvent) => {
    if (e.key !== 'Escape') return;
    e.stopPropagation();
    finish(last, true);
  };
  function finish(e: PointerEvent, cancelled: boolean) {
    removeEventListener('pointermove', moved);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', cancel);
    removeEventListener('keydown', key, true);
    end(e, cancelled);
  }
  addEventListener('pointermove', moved);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', cancel);
  addEventListener('keydown', key, true);
}

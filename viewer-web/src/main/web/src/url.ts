// The whole view lives in the address: page, window, selection, lanes, filters. Copying the address
// copies the view; the browser's back and forward are undo and redo.

export type View = 'p' | 'm' | 'g';

export interface ViewState {
  page: string;
  /** Visible window, or null for the whole trace. */
  window: [number, number] | null;
  view: View;
  /** Selected span: a lane and an instant inside the span. */
  span: { lane: string; at: number } | null;
  range: [number, number] | null;
  pinned: string[];
  hidden: string[];
  /** Lanes the user moved, in the order wanted; all others follow as they come. */
  order: string[];
  marks: number[];
  /** First lane on screen (below the pinned ones), null when it is the first there is. */
  top: string | null;
  /** Goroutine filter and order of the timeline's goroutine lanes. */
  filter: Record<string, string>;
  clock: 'relative' | 'wall';
  /** Parameters of the page itself: sort column, tab, text filter… */
  params: Record<string, string>;
}

export function emptyState(): ViewState {
  return { page: 'overview', window: null, view: 'p', span: null, range: null, pinned: [], hidden: [], order: [], marks: [], top: null, filter: {}, clock: 'relative', params: {} };
}

const pair = (r: [number, number]) => `${Math.floor(r[0])}-${Math.ceil(r[1])}`;

export function encode(s: ViewState): string {
  const q: string[] = [];
  const add = (key: string, value: string) => q.push(`${key}=${encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%40/g, '@')}`);
  if (s.window) add('t', pair(s.window));
  if (s.view !== 'p') add('v', s.view);
  if (s.span) add('span', `${s.span.lane}@${s.span.at}`);
  if (s.range) add('range', pair(s.range));
  if (s.pinned.length) add('pin', s.pinned.join(','));
  if (s.hidden.length) add('hide', s.hidden.join(','));
  if (s.order.length) add('order', s.order.join(','));
  if (s.marks.length) add('marks', s.marks.map(Math.round).join(','));
  if (s.top) add('top', s.top);
  if (s.clock !== 'relative') add('clock', s.clock);
  for (const [key, value] of Object.entries(s.filter)) if (value) add(`f.${key}`, value);
  for (const [key, value] of Object.entries(s.params)) if (value) add(`p.${key}`, value);
  return `#/${s.page}${q.length ? `?${q.join('&')}` : ''}`;
}

export function decode(hash: string): ViewState {
  const s = emptyState();
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  if (/^[a-z]+$/.test(path)) s.page = path;
  for (const [key, value] of new URLSearchParams(query)) {
    switch (key) {
      case 't':
        s.window = range(value);
        break;
      case 'v':
        if (value === 'p' || value === 'm' || value === 'g') s.view = value;
        break;
      case 'span': {
        const at = value.lastIndexOf('@');
        if (at > 0 && Number.isFinite(Number(value.slice(at + 1)))) s.span = { lane: value.slice(0, at), at: Number(value.slice(at + 1)) };
        break;
      }
      case 'range':
        s.range = range(value);
        break;
      case 'pin':
        s.pinned = list(value);
        break;
      case 'hide':
        s.hidden = list(value);
        break;
      case 'order':
        s.order = list(value);
        break;
      case 'marks':
        s.marks = list(value).map(Number).filter(Number.isFinite);
        break;
      case 'top':
        s.top = value || null;
        break;
      case 'clock':
        if (value === 'wall') s.clock = 'wall';
        break;
      default:
        if (key.startsWith('f.')) s.filter[key.slice(2)] = value;
        else if (key.startsWith('p.')) s.params[key.slice(2)] = value;
    }
  }
  return s;
}

const list = (text: string) => text.split(',').filter(Boolean);

function range(text: string): [number, number] | null {
  const match = /^(-?\d+)-(-?\d+)$/.exec(text);
  if (!match) return null;
  const [a, b] = [Number(match[1]), Number(match[2])];
  return b > a ? [a, b] : null;
}

import { app } from '../app';
import { dot, dragging, h } from '../dom';
import type { Row, RowLayout } from './rows';

/**
 * The names at the left of the rows on screen: real elements, so that they can be reached and read.
 * One of them is a tab stop; from there the arrow keys go to the others, and a lane is pinned,
 * hidden, moved and selected by a key as well as by its buttons and by dragging.
 */
export class Labels {
  readonly element = h('div.tl-labels', { role: 'list', 'aria-label': 'Lanes. Up and down: other lanes. Enter: select. P: pin. H: hide. Alt with up or down: move.' });
  private readonly shown = new Map<string, HTMLElement>();
  private current = '';

  constructor(private readonly actions: { reveal(key: string): void; toggleSection(key: string): void; select(key: string): void; rows(): RowLayout }) {
    this.element.addEventListener('pointerdown', (e) => this.startMove(e));
    this.element.addEventListener('keydown', (e) => this.keyDown(e));
    this.element.addEventListener('focusin', (e) => (this.current = idOf(e.target) ?? this.current));
  }

  show(rows: { row: Row; y: number }[], scrollTop: number) {
    const wanted = new Set<string>();
    for (const { row, y } of rows) {
      const id = `${row.type === 'lane' && row.pinned ? 'pin/' : ''}${row.key}`;
      wanted.add(id);
      let label = this.shown.get(id);
      const text = row.type === 'section' ? `${row.label}\n${row.note}\n${row.open}` : row.type === 'lane' ? `${row.label}\n${row.note}` : row.label;
      if (!label || label.dataset.text !== text) {
        const focused = label && label === document.activeElement;
        label?.remove();
        label = this.make(row);
        label.dataset.text = text;
        label.dataset.id = id;
        this.shown.set(id, label);
        this.element.append(label);
        if (focused) label.focus({ preventScroll: true });
      }
      const place = `translateY(${y - scrollTop}px)`;
      if (label.style.transform !== place) label.style.transform = place;
      label.classList.toggle('selected', app.state.span?.lane === row.key);
    }
    for (const [id, label] of this.shown) {
      if (!wanted.has(id)) {
        label.remove();
        this.shown.delete(id);
      }
    }
    const stop = this.shown.has(this.current) ? this.current : this.shown.keys().next().value;
    for (const [id, label] of this.shown) {
      const index = id === stop ? 0 : -1;
      if (label.tabIndex !== index) label.tabIndex = index;
    }
  }

  private keyDown(e: KeyboardEvent) {
    const label = e.target as HTMLElement;
    if (!label.classList.contains('tl-label') || e.ctrlKey || e.metaKey) return;
    const key = label.dataset.key;
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      const labels = this.inOrder();
      const next = labels[labels.indexOf(label) + step];
      if (e.altKey && key && next?.dataset.key) moveLane(key, next.dataset.key, this.lanes());
      else if (!e.altKey && next) {
        if (next.dataset.key) this.actions.reveal(next.dataset.key);
        next.focus({ preventScroll: true });
      }
    } else if (e.key === 'Enter' || e.key === ' ') {
      if (key) this.actions.select(key);
      else label.querySelector('button')?.click();
    } else if (e.key.toLowerCase() === 'p' && key && label.classList.contains('tl-lane')) togglePin(key);
    else if (e.key.toLowerCase() === 'h' && key) hideLane(key);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private inOrder(): HTMLElement[] {
    return [...this.shown.values()].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  }

  private make(row: Row): HTMLElement {
    if (row.type === 'section') {
      const { open } = row;
      return h(
        `div.tl-label.tl-section${row.key === 's:pinned' ? '.pinned' : ''}`,
        { role: 'listitem', tabindex: -1, style: `height:${row.height}px` },
        h('button.tl-toggle', { tabindex: -1, 'aria-expanded': String(open), onclick: () => this.actions.toggleSection(row.key) }, h('span.chevron', open ? '▾' : '▸'), ` ${row.label}`),
        h('span.tl-note', row.note),
      );
    }
    const isPinned = row.type === 'lane' && app.state.pinned.includes(row.key);
    const canPin = row.type === 'lane';
    return h(
      `div.tl-label.tl-${row.type}${row.type === 'lane' && row.nested ? '.nested' : ''}${row.type === 'lane' && row.pinned ? '.pinned' : ''}`,
      { role: 'listitem', tabindex: -1, style: `height:${row.height}px`, title: row.type === 'lane' ? `${row.label} ${row.note}` : row.label, 'data-key': row.key },
      h('span.tl-name', row.label),
      row.type === 'lane' ? h('span.tl-note', row.note) : h('span.tl-legend', row.type === 'counter' && row.series.map((s) => h('span', dot(s.color), s.label))),
      h(
        'span.tl-actions',
        canPin && h('button', { tabindex: -1, title: isPinned ? 'Unpin (P)' : 'Pin to the top (P)', 'aria-label': `${isPinned ? 'Unpin' : 'Pin'} ${row.label}`, onclick: () => togglePin(row.key) }, isPinned ? '⚲' : '⌃'),
        h('button', { tabindex: -1, title: 'Hide (H)', 'aria-label': `Hide ${row.label}`, onclick: () => hideLane(row.key) }, '×'),
      ),
    );
  }

  /** Dragging a label up or down moves its lane. */
  private startMove(down: PointerEvent) {
    const label = (down.target as HTMLElement).closest<HTMLElement>('.tl-label[data-key]');
    if (!label || (down.target as HTMLElement).closest('button')) return;
    const key = label.dataset.key!;
    if (!canMove(key)) return;
    let target: HTMLElement | null = null;
    const move = (e: PointerEvent) => {
      if (Math.abs(e.clientY - down.clientY) < 5) return;
      label.classList.add('moving');
      target?.classList.remove('drop');
      target = (document.elementFromPoint(e.clientX, e.clientY) as HTMLElement | null)?.closest<HTMLElement>('.tl-label[data-key]') ?? null;
      if (target !== label) target?.classList.add('drop');
    };
    dragging(move, (_, cancelled) => {
      label.classList.remove('moving');
      target?.classList.remove('drop');
      if (!cancelled && target && target !== label) moveLane(key, target.dataset.key!, this.lanes());
    });
  }

  /** All lanes that can be moved, on screen or not, in their order. */
  private lanes(): string[] {
    return this.actions.rows().head.flatMap((row) => (row.type === 'section' || (row.type === 'lane' && row.pinned) ? [] : row.key));
  }
}

export function togglePin(key: string) {
  const { pinned } = app.state;
  app.go({ pinned: pinned.includes(key) ? pinned.filter((k) => k !== key) : [...pinned, key] });
}

function hideLane(key: string) {
  app.go({ hidden: [...app.state.hidden, key], pinned: app.state.pinned.filter((k) => k !== key) });
}

const idOf = (target: EventTarget | null) => (target as HTMLElement | null)?.closest<HTMLElement>('.tl-label')?.dataset.id;

/** The goroutine rows may be a million and have an order of their own; pinned ones can be moved. */
const canMove = (key: string) => !key.startsWith('g:') || app.state.pinned.includes(key);

/** Puts a lane where another is; both must be pinned, or neither. */
function moveLane(key: string, before: string, lanes: string[]) {
  const move = (keys: string[]) => {
    const down = keys.indexOf(before) > keys.indexOf(key);
    const rest = keys.filter((k) => k !== key);
    rest.splice(rest.indexOf(before) + (down ? 1 : 0), 0, key);
    return rest;
  };
  const { pinned, order } = app.state;
  if (!canMove(key) || !canMove(before)) return;
  if (pinned.includes(key) && pinned.includes(before)) app.go({ pinned: move(pinned) });
  else if (lanes.includes(key) && lanes.includes(before)) app.go({ order: [...move(lanes), ...order.filter((k) => !lanes.includes(k))] });
}

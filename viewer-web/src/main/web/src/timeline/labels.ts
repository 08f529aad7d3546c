import { app } from '../app';
import { h } from '../dom';
import type { Row } from './rows';

/** The names at the left of the rows on screen: real elements, so that they can be reached and read. */
export class Labels {
  readonly element = h('div.tl-labels', { role: 'list', 'aria-label': 'Lanes' });
  private readonly shown = new Map<string, HTMLElement>();

  constructor(private readonly actions: { reveal(key: string): void; toggleSection(key: string): void; menu?(key: string): void }) {
    this.element.addEventListener('pointerdown', (e) => this.startMove(e));
  }

  show(rows: { row: Row; y: number }[], scrollTop: number) {
    const wanted = new Set<string>();
    for (const { row, y } of rows) {
      const id = `${row.type === 'lane' && row.pinned ? 'pin/' : ''}${row.key}`;
      wanted.add(id);
      let label = this.shown.get(id);
      const text = row.type === 'section' || row.type === 'lane' ? `${row.label}\n${row.note}` : row.label;
      if (!label || label.dataset.text !== text) {
        label?.remove();
        label = this.make(row);
        label.dataset.text = text;
        this.shown.set(id, label);
        this.element.append(label);
      }
      label.style.transform = `translateY(${y - scrollTop}px)`;
      label.classList.toggle('selected', app.state.span?.lane === row.key);
    }
    for (const [id, label] of this.shown) {
      if (!wanted.has(id)) {
        label.remove();
        this.shown.delete(id);
      }
    }
  }

  private make(row: Row): HTMLElement {
    if (row.type === 'section') {
      const open = !app.state.hidden.includes(row.key);
      return h(
        'div.tl-label.tl-section',
        { role: 'listitem', style: `height:${row.height}px` },
        h('button.tl-toggle', { 'aria-expanded': String(open), onclick: () => this.actions.toggleSection(row.key) }, h('span.chevron', open ? '▾' : '▸'), ` ${row.label}`),
        h('span.tl-note', row.note),
      );
    }
    const isPinned = row.type === 'lane' && app.state.pinned.includes(row.key);
    const canPin = row.type === 'lane';
    return h(
      `div.tl-label.tl-${row.type}`,
      { role: 'listitem', style: `height:${row.height}px`, title: row.type === 'lane' ? `${row.label} ${row.note}` : row.label, 'data-key': row.key },
      h('span.tl-name', row.label),
      row.type === 'lane' ? h('span.tl-note', row.note) : h('span.tl-legend', row.type === 'counter' && row.series.map((s) => h('span', h(`i.dot.c-${s.color}`), s.label))),
      h(
        'span.tl-actions',
        canPin && h('button', { title: isPinned ? 'Unpin' : 'Pin to the top', 'aria-label': `${isPinned ? 'Unpin' : 'Pin'} ${row.label}`, onclick: () => togglePin(row.key) }, isPinned ? '⚲' : '⌃'),
        h('button', { title: 'Hide', 'aria-label': `Hide ${row.label}`, onclick: () => app.go({ hidden: [...app.state.hidden, row.key], pinned: app.state.pinned.filter((k) => k !== row.key) }) }, '×'),
      ),
    );
  }

  /** Dragging a label up or down moves its lane. */
  private startMove(down: PointerEvent) {
    const label = (down.target as HTMLElement).closest<HTMLElement>('.tl-label[data-key]');
    if (!label || (down.target as HTMLElement).closest('button')) return;
    const key = label.dataset.key!;
    let target: HTMLElement | null = null;
    const move = (e: PointerEvent) => {
      if (Math.abs(e.clientY - down.clientY) < 5) return;
      label.classList.add('moving');
      target?.classList.remove('drop');
      target = (document.elementFromPoint(e.clientX, e.clientY) as HTMLElement | null)?.closest<HTMLElement>('.tl-label[data-key]') ?? null;
      if (target !== label) target?.classList.add('drop');
    };
    const up = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      label.classList.remove('moving');
      target?.classList.remove('drop');
      if (target && target !== label) moveLane(key, target.dataset.key!, this.visibleKeys());
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
  }

  private visibleKeys(): string[] {
    return [...this.element.querySelectorAll<HTMLElement>('.tl-label[data-key]')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((e) => e.dataset.key!);
  }
}

export function togglePin(key: string) {
  const { pinned } = app.state;
  app.go({ pinned: pinned.includes(key) ? pinned.filter((k) => k !== key) : [...pinned, key] });
}

function moveLane(key: string, before: string, visible: string[]) {
  const move = (keys: string[]) => {
    const down = keys.indexOf(before) > keys.indexOf(key);
    const rest = keys.filter((k) => k !== key);
    rest.splice(rest.indexOf(before) + (down ? 1 : 0), 0, key);
    return rest;
  };
  const { pinned, order } = app.state;
  if (pinned.includes(key) && pinned.includes(before)) app.go({ pinned: move(pinned) });
  else app.go({ order: move([...order.filter((k) => !visible.includes(k)), ...visible.filter((k) => !pinned.includes(k))]) });
}

import { h } from '../dom';
import { count } from '../time';

export interface ColumnSpec<T> {
  label: string;
  /** What the cell shows. */
  cell: (row: T) => Node | string;
  /** What it is sorted by; absent: not sortable. */
  sort?: (row: T) => number | string;
  numeric?: boolean;
  title?: string;
  /** The server's name for this order. */
  order?: string;
}

/** Which rows of a longer list the server sent: the first by this order. */
export interface FirstOf {
  total: number;
  order: string;
  descending: boolean;
  /** Asks for the first by another order. */
  choose(order: string, descending: boolean): void;
}

interface Options<T> {
  label: string;
  sortBy?: number;
  descending?: boolean;
  onRow?: (row: T) => void;
  rowTitle?: string;
  firstOf?: FirstOf;
  limit?: number;
}

/**
 * A table that sorts by a click on its head, and shows the first `limit` rows until asked for more. Of
 * a list that the server cut, only the server can say which are the first by another order.
 */
export function table<T>(columns: ColumnSpec<T>[], rows: T[], options: Options<T>): HTMLElement {
  let sortBy = options.sortBy ?? -1;
  let descending = options.descending ?? true;
  let limit = options.limit ?? 200;
  const body = h('tbody');
  const head = h('tr');
  const { firstOf } = options;
  const cut = !!firstOf && firstOf.total > rows.length;
  const column = firstOf ? columns.findIndex((c) => c.order === firstOf.order) : -1;
  if (firstOf && column >= 0) {
    sortBy = column;
    descending = firstOf.descending;
  }
  const more = h('button.more', { onclick: () => ((limit *= 5), draw()) });
  const note = cut ? h('p.muted.cut', `The first ${count(rows.length)} of ${count(firstOf.total)}${column >= 0 ? ` by “${columns[column].label}”, ${descending ? 'most first' : 'least first'}` : ''}. A click on a heading asks for the first by that.`) : '';
  const element = h('div.table-box', note, h('table', { 'aria-label': options.label }, h('thead', head), body), more);

  function drawHead() {
    head.replaceChildren(
      ...columns.map((c, i) => {
        const state = i === sortBy ? (descending ? 'descending' : 'ascending') : 'none';
        const content = sortable(c) ? h('button.sort', { onclick: () => sort(i), title: c.title }, c.label, h('span.sort-mark', { 'aria-hidden': 'true' }, i === sortBy ? (descending ? ' ↓' : ' ↑') : '')) : c.label;
        return h('th', { scope: 'col', class: c.numeric ? 'num' : '', 'aria-sort': sortable(c) ? state : undefined, title: c.title }, content);
      }),
    );
  }

  function sort(i: number) {
    descending = i === sortBy ? !descending : !!columns[i].numeric;
    sortBy = i;
    if (cut) firstOf.choose(columns[i].order!, descending);
    else draw();
  }

  function sortable(c: ColumnSpec<T>): boolean {
    return cut ? !!c.order : !!c.sort;
  }

  function draw() {
    drawHead();
    const by = cut ? undefined : columns[sortBy]?.sort;
    const sorted = by ? [...rows].sort((a, b) => compare(by(a), by(b)) * (descending ? -1 : 1)) : rows;
    body.replaceChildren(...sorted.slice(0, limit).map(makeRow));
    if (!rows.length) body.append(h('tr', h('td.empty', { colspan: columns.length }, 'Nothing here.')));
    more.hidden = rows.length <= limit;
    more.textContent = `${rows.length - limit} more rows`;
  }

  function makeRow(row: T): HTMLElement {
    const tr = h('tr', ...columns.map((c) => h('td', { class: c.numeric ? 'num' : '' }, shown(c.cell(row)))));
    if (options.onRow) {
      tr.classList.add('link');
      tr.tabIndex = 0;
      if (options.rowTitle) tr.title = options.rowTitle;
      tr.addEventListener('click', (e) => !(e.target as HTMLElement).closest('a,button') && options.onRow!(row));
      tr.addEventListener('keydown', (e) => e.key === 'Enter' && e.target === tr && options.onRow!(row));
    }
    return tr;
  }

  draw();
  return element;
}

/** Zeros step back, so that the numbers that matter stand out. */
function shown(cell: Node | string): Node | string {
  return cell === '0 ns' || cell === '0' ? h('span.zero', cell) : cell;
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
}

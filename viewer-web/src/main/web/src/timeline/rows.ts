// Which rows there are and where. The top rows are few and of any height; the goroutine rows may be
// a million, are all of one height, and are never made into objects except while they are on screen.

export interface Series {
  name: string;
  label: string;
  /** What it is coloured as: a state, or a name in the palette's series. */
  color: string;
}

export type Row =
  | { type: 'section'; key: string; label: string; note: string; height: number; open: boolean }
  | { type: 'counter'; key: string; label: string; series: Series[]; stacked: boolean; unit: string; height: number }
  | { type: 'points'; key: string; label: string; kinds: string[]; height: number }
  | { type: 'lane'; key: string; label: string; note: string; height: number; pinned: boolean; nested?: boolean };

export const LANE_HEIGHT = 22;

export interface Block {
  count: number;
  at(index: number): Row;
  indexOf(key: string): number;
}

export const NO_BLOCK: Block = { count: 0, at: () => ({ type: 'section', key: '', label: '', note: '', height: 0, open: false }), indexOf: () => -1 };

export class RowLayout {
  private readonly tops: number[] = [];
  private readonly headHeight: number;
  /** Pinned rows stay at the top of the screen; the others scroll below them. */
  private readonly sticky: number;
  readonly stickyHeight: number;

  constructor(
    readonly head: Row[],
    readonly block: Block = NO_BLOCK,
  ) {
    let y = 0;
    for (const row of head) {
      this.tops.push(y);
      y += row.height;
    }
    this.headHeight = y;
    const unpinned = head.findIndex((row) => !isSticky(row));
    this.sticky = unpinned < 0 ? head.length : unpinned;
    this.stickyHeight = this.tops[this.sticky] ?? y;
  }

  get height(): number {
    return this.headHeight + this.block.count * LANE_HEIGHT;
  }

  /** Rows that touch [top, bottom), with their own top; those that stay come last and cover the others. */
  visible(top: number, bottom: number): { row: Row; y: number }[] {
    const found: { row: Row; y: number }[] = [];
    const below = top + this.stickyHeight;
    for (let i = this.sticky; i < this.head.length; i++) {
      if (this.tops[i] + this.head[i].height > below && this.tops[i] < bottom) found.push({ row: this.head[i], y: this.tops[i] });
    }
    const first = Math.max(0, Math.floor((below - this.headHeight) / LANE_HEIGHT));
    const last = Math.min(this.block.count - 1, Math.ceil((bottom - this.headHeight) / LANE_HEIGHT) - 1);
    for (let i = first; i <= last; i++) found.push({ row: this.block.at(i), y: this.headHeight + i * LANE_HEIGHT });
    for (let i = 0; i < this.sticky; i++) found.push({ row: this.head[i], y: top + this.tops[i] });
    return found;
  }

  /** as place, of the row that scrolls: a pinned lane has one of those, too. */
  placeUnpinned(key: string): { y: number; height: number } | null {
    const i = this.head.findIndex((row, at) => at >= this.sticky && row.key === key);
    if (i >= 0) return { y: this.tops[i], height: this.head[i].height };
    const j = this.block.indexOf(key);
    return j < 0 ? null : { y: this.headHeight + j * LANE_HEIGHT, height: LANE_HEIGHT };
  }

  /** Where a row is when scrolled to `top`, or null. A pinned copy counts first. */
  place(key: string, top = 0): { y: number; height: number } | null {
    const i = this.head.findIndex((row) => row.key === key);
    if (i >= 0) return { y: this.tops[i] + (i < this.sticky ? top : 0), height: this.head[i].height };
    const j = this.block.indexOf(key);
    return j < 0 ? null : { y: this.headHeight + j * LANE_HEIGHT, height: LANE_HEIGHT };
  }
}

const isSticky = (row: Row) => row.key === 's:pinned' || (row.type === 'lane' && row.pinned);

/** Order of lanes after the user moved some: `order` first as given, the rest as they were. */
export function reordered(keys: string[], order: string[]): string[] {
  const known = new Set(keys);
  const first = order.filter((k) => known.has(k));
  const taken = new Set(first);
  return [...first, ...keys.filter((k) => !taken.has(k))];
}

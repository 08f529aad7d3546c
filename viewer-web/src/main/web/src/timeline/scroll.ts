// Up and down: the native scroll bar over a spacer as high as all rows, scaled when there are more
// pixels than browsers allow.

import type { RowLayout } from './rows';

const MAX_SCROLL = 8_000_000;

export class Scroll {
  constructor(
    private readonly scroller: HTMLElement,
    private readonly spacer: HTMLElement,
    private readonly layout: () => RowLayout,
  ) {}

  /** The first pixel on screen, in the rows' own coordinates. */
  get top(): number {
    return this.scroller.scrollTop * this.scale();
  }

  to(y: number) {
    this.scroller.scrollTop = y / this.scale();
  }

  /** After the rows or the height of the screen have changed. */
  fit() {
    this.spacer.style.height = `${Math.max(0, Math.min(this.layout().height, MAX_SCROLL) - this.scroller.clientHeight)}px`;
  }

  /** The first row below the pinned ones, and how much of it is out of sight; null at the very top. */
  first(): { key: string; hidden: number } | null {
    const { top } = this;
    if (top < 1) return null;
    const layout = this.layout();
    const below = top + layout.stickyHeight;
    const at = layout.visible(top, below + 1).find((r) => r.y + r.row.height > below && r.y <= below);
    return at ? { key: at.row.key, hidden: below - at.y } : null;
  }

  /** Puts a row first on screen, below the pinned ones; false when there is no such row. */
  putFirst(key: string, hidden = 0): boolean {
    const at = this.layout().placeUnpinned(key);
    if (at) this.to(Math.max(0, at.y + hidden - this.layout().stickyHeight));
    return at !== null;
  }

  /** Brings a row on screen if it is not. */
  reveal(key: string) {
    const at = this.layout().place(key);
    if (!at) return;
    const view = this.scroller.clientHeight;
    if (at.y < this.top + this.layout().stickyHeight + 24 || at.y + 30 > this.top + view) this.to(Math.max(0, at.y - view / 3));
  }

  private scale(): number {
    const view = this.scroller.clientHeight;
    const { height } = this.layout();
    return height <= MAX_SCROLL ? 1 : (height - view) / (MAX_SCROLL - view);
  }
}

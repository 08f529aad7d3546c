// Which strips are redrawn in a frame, and how all of them get on screen.
//
// A frame has a few milliseconds for redrawing. Rows take turns: a frame goes on where the one
// before ran out of time, so that while zooming every row is refreshed as often as any other, and
// shows its older pixels, stretched, in between.

import { theme } from '../theme';
import type { Strip, Strips } from './strips';
import type { View } from './view';

const BUDGET_MS = 6;

/** A row that is drawn into a strip. */
export interface Painted {
  key: string;
  y: number;
  tall: number;
  /** Whether rows may lie below it that must not show through. */
  covers?: boolean;
  /** Draws all of the strip; says whether all that was wanted was at hand. */
  draw(strip: Strip): boolean;
  /** Says what it will need when it is not drawn in this frame. */
  missing?(): void;
}

export class Painter {
  private turn = '';

  constructor(private readonly strips: Strips) {}

  /** Redraws what there is time for and blits everything; true when rows are left for the next frame. */
  paint(ctx: CanvasRenderingContext2D, rows: Painted[], view: View, began: number): boolean {
    this.strips.beginFrame();
    const waiting = rows.filter((row) => this.needsDrawing(row, view));
    const first = Math.max(0, waiting.findIndex((row) => row.key === this.turn));
    let late = '';
    for (let i = 0; i < waiting.length; i++) {
      const row = waiting[(first + i) % waiting.length];
      if (performance.now() - began < BUDGET_MS) this.redraw(row, view);
      else {
        late ||= row.key;
        row.missing?.();
      }
    }
    this.turn = late;
    for (const row of rows) this.blit(ctx, row, view);
    return late !== '';
  }

  private redraw(row: Painted, { win, scale }: View) {
    const width = Math.ceil(win.width * 2 * scale);
    const strip = this.strips.prepare(row.key, width, Math.round(row.tall * scale));
    strip.nsPerPx = win.nsPerPx / scale;
    strip.from = win.start - (win.width / 2) * win.nsPerPx;
    strip.complete = row.draw(strip);
    strip.stale = false;
  }

  private needsDrawing(row: Painted, { win, scale, duration }: View): boolean {
    const strip = this.strips.get(row.key);
    if (!strip || strip.stale || strip.height !== Math.round(row.tall * scale)) return true;
    const nsPerPx = win.nsPerPx / scale;
    if (Math.abs(strip.nsPerPx - nsPerPx) > nsPerPx * 1e-9) return true;
    const end = strip.from + strip.width * strip.nsPerPx;
    if ((strip.from > win.start && strip.from > 0) || (end < win.end && end < duration)) return true;
    if (!strip.complete) row.missing?.();
    return false;
  }

  private blit(ctx: CanvasRenderingContext2D, row: Painted, { win, scale }: View) {
    const strip = this.strips.get(row.key);
    if (row.covers) {
      ctx.fillStyle = theme.palette.background;
      ctx.fillRect(0, row.y - 1, win.width, row.tall + 4);
    }
    if (!strip) return;
    const x = win.x(strip.from);
    const width = (strip.width * strip.nsPerPx) / win.nsPerPx;
    if (x + width < 0 || x > win.width) return;
    // Exactly on device pixels when the zoom is the strip's own, so that nothing is blurred.
    const same = Math.abs(strip.nsPerPx * scale - win.nsPerPx) < win.nsPerPx * 1e-9;
    ctx.imageSmoothingEnabled = !same;
    ctx.drawImage(strip.canvas, same ? Math.round(x * scale) / scale : x, row.y, same ? strip.width / scale : width, row.tall);
  }
}

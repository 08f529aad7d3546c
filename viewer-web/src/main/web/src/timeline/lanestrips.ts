// Lanes of spans: tiles to pixels, then names on the blocks that have room for one.

import { app } from '../app';
import { theme } from '../theme';
import { FONT } from './axis';
import { goroutineName } from './names';
import { Raster, type StateTable } from './raster';
import type { Strip, Strips } from './strips';
import { exactRuns, type Piece, type Tile, type TileCache } from './tiles';
import type { View } from './view';

const ROOM_PX = 30;

export class LaneStrips {
  private raster: Raster;
  private readonly widths = new Map<string, number>();

  constructor(
    private readonly tiles: TileCache,
    private readonly strips: Strips,
    private readonly states: StateTable,
    private readonly reasons: Map<number, string>,
    /** Name of the lane of a range: its spans need not repeat it. */
    private readonly rangeName: (key: string) => string | undefined,
  ) {
    this.raster = new Raster(states, theme.palette);
  }

  themeChanged() {
    this.raster = new Raster(this.states, theme.palette);
  }

  draw(strip: Strip, key: string, view: View): boolean {
    const end = strip.from + strip.width * strip.nsPerPx;
    const { pieces, complete } = this.tiles.lookup(key, strip.from, end, view.win.nsPerPx, view.duration);
    const { image, pixels } = this.strips.scratch(strip.width, strip.height);
    this.raster.draw(pixels, strip.width, strip.height, pieces, strip.from, strip.nsPerPx, shading(key));
    strip.ctx.putImageData(image, 0, 0);
    this.drawNames(strip, pieces, key, view);
    return complete;
  }

  /** Notes the tiles a lane will want although it is not drawn now. */
  missing(key: string, { win, duration }: View) {
    this.tiles.lookup(key, win.start, win.end, win.nsPerPx, duration);
  }

  private drawNames(strip: Strip, pieces: Piece[], key: string, { win, scale }: View) {
    const ctx = strip.ctx;
    const viewFrom = (win.start - strip.from) / strip.nsPerPx;
    ctx.font = FONT.replace('11px', `${11 * scale}px`);
    ctx.textBaseline = 'middle';
    for (const run of exactRuns(pieces, strip.from, strip.from + strip.width * strip.nsPerPx)) {
      let x0 = (run.start - strip.from) / strip.nsPerPx;
      const x1 = (run.end - strip.from) / strip.nsPerPx;
      if (x0 < viewFrom && x1 > viewFrom) x0 = viewFrom;
      if (x1 - x0 < ROOM_PX * scale) continue;
      const text = this.nameOf(run.tile, run.i, key);
      if (!text) continue;
      const state = this.states.names[run.tile.state[run.i]];
      ctx.fillStyle = theme.palette.ink[state] ?? theme.palette.muted;
      const fitted = this.fit(ctx, text, x1 - x0 - 8 * scale);
      if (fitted) ctx.fillText(fitted, x0 + 4 * scale, strip.height / 2 + 0.5);
    }
  }

  private nameOf(tile: Tile, i: number, key: string): string {
    const state = this.states.names[tile.state[i]];
    const reason = this.reasons.get(tile.reason[i]) ?? '';
    if (key.startsWith('t:')) return reason;
    if (key.startsWith('g:')) return state === 'RUNNING' ? 'running' : reason || (app.info.states.find((s) => s.name === state)?.label ?? '');
    if (key.startsWith('r:')) return this.rangeName(key) === reason ? '' : reason;
    if (tile.g[i] < 0) return state === 'SPINNING' ? 'spinning' : '';
    return `G${tile.g[i]} ${goroutineName(app.names.groupOf(tile.g[i]))}`;
  }

  private fit(ctx: CanvasRenderingContext2D, text: string, space: number): string {
    if (space < 8) return '';
    const width = this.widthOf(ctx, text);
    if (width <= space) return text;
    const keep = Math.floor((text.length * space) / width) - 1;
    return keep >= 2 ? `${text.slice(0, keep)}…` : '';
  }

  /** Measuring text is the dearest part of a strip full of names, and the names are few. */
  private widthOf(ctx: CanvasRenderingContext2D, text: string): number {
    const key = `${ctx.font}/${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 20_000) this.widths.clear();
      this.widths.set(key, (width = ctx.measureText(text).width));
    }
    return width;
  }
}

/** On P and M lanes blocks differ by goroutine, on lanes of tasks by what they are called. */
function shading(key: string): 'goroutine' | 'reason' | 'none' {
  if (key.startsWith('p:') || key.startsWith('m:')) return 'goroutine';
  return key.startsWith('t:') ? 'reason' : 'none';
}

// The timeline: lanes over time on a canvas.
//
// A frame is drawn only when something changed. It blits the strips of the rows on screen, then
// spends a few milliseconds redrawing strips that no longer fit, and asks the server for the tiles
// that were missing. So a frame costs the same whether the trace has a thousand events or a hundred
// million; what is not there yet shows its older, coarser pixels.

import { api, type Filter } from '../api';
import { app } from '../app';
import type { Arrow, Info, SpanDetail } from '../answers';
import { debounce, h } from '../dom';
import { bytes, count, duration } from '../time';
import { theme } from '../theme';
import type { ViewState } from '../url';
import { Axis, FONT } from './axis';
import { TimelineInput } from './input';
import { Labels } from './labels';
import { Minimap } from './minimap';
import { fetchGoroutines, goroutineName } from './names';
import { drawArrow, drawBox, drawMarks, drawRange, type Placed } from './overlay';
import { Raster, stateTable, type StateTable } from './raster';
import { layoutRows, type LaneLists } from './rowset';
import { RowLayout, type Row } from './rows';
import { drawCounters, drawDensity, SampledRow, valueAt } from './sampled';
import { Strips, type Strip } from './strips';
import { exactRuns, firstAfter, TileCache, type Piece, type Tile } from './tiles';
import { tileSource } from './tilesource';
import { TimeWindow } from './window';

const STRIP_BUDGET_MS = 6;
const MAX_SCROLL = 8_000_000;
/** All arrows of the window are drawn when there are no more than this. */
const ARROWS_AT_ONCE = 160;

export interface HitSpan {
  lane: string;
  start: number;
  end: number;
  state: string;
  g: number;
  count: number;
  busy: number;
  reason: string;
  /** Whether start and end are the span's own, not the edge of a tile. */
  exact: boolean;
}

export class Timeline {
  readonly element: HTMLElement;
  win: TimeWindow;
  layout = new RowLayout([]);
  readonly scroller = h('div.tl-scroll', { tabindex: '0', role: 'application', 'aria-label': 'Timeline. Press ? for the keys.', 'data-testid': 'timeline' });
  readonly stage = h('div.tl-stage');
  private readonly spacer = h('div');
  private readonly base = h('canvas.tl-canvas');
  private readonly over = h('canvas.tl-canvas.tl-over');
  private readonly baseCtx = this.base.getContext('2d', { alpha: false })!;
  private readonly overCtx = this.over.getContext('2d')!;
  private readonly axis = new Axis();
  private readonly minimap = new Minimap((from, to, done) => {
    this.setWindow(TimeWindow.fit(from, to, this.win.width, this.duration));
    if (done) this.commit();
  });
  private readonly labels = new Labels({
    reveal: (key) => this.reveal(key),
    toggleSection: (key) => app.go({ hidden: app.state.hidden.includes(key) ? app.state.hidden.filter((k) => k !== key) : [...app.state.hidden, key] }, 'replace'),
  });
  private readonly tooltip = h('div.tl-tooltip', { hidden: true });
  private readonly live = h('div.sr-only', { role: 'status', 'aria-live': 'polite' });
  private readonly strips = new Strips();
  private readonly tiles: TileCache;
  private readonly sampled = new Map<string, SampledRow>();
  private readonly reasons = new Map<number, string>();
  private readonly states: StateTable;
  private raster: Raster;
  private lists: LaneLists = { procs: [], threads: [], ranges: [], goroutines: null, nameOf: (g) => app.names.groupOf(g) };
  private goroutineKey = '';
  private loading = 0;
  private arrows: Arrow[] = [];
  private spanArrows: Arrow[] = [];
  private arrowKey = '';
  private selected: SpanDetail | null = null;
  private frameRequested = false;
  private scale = 1;
  private hover: { x: number; y: number; hit: HitSpan | null } | null = null;
  private readonly input: TimelineInput;
  /** Frame times of the last frames, for the benchmark. */
  readonly frames: number[] = [];

  constructor() {
    this.states = stateTable(app.info.states);
    this.raster = new Raster(this.states, theme.palette);
    this.win = TimeWindow.whole(this.duration, 1000);
    this.tiles = new TileCache(
      tileSource(this.reasons),
      (lanes) => {
        this.strips.invalidate(lanes);
        this.redraw();
      },
    );
    this.stage.append(this.labels.element, this.base, this.over, this.tooltip);
    this.scroller.append(this.stage, this.spacer);
    this.element = h('section.timeline', h('div.tl-top', h('div.tl-corner', 'whole trace'), this.minimap.element), h('div.tl-top.tl-axis-row', h('div.tl-corner', { id: 'tl-corner' }), this.axis.element), this.scroller, this.live);
    this.input = new TimelineInput(this);
    this.scroller.addEventListener('scroll', () => this.redraw(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(this.scroller);
    theme.addEventListener('change', () => this.themeChanged());
    void this.load();
  }

  get duration(): number {
    return Math.max(1, app.info.durationNs);
  }

  private async load() {
    this.loading++;
    const [procs, threads, ranges] = await Promise.all([api.lanes('p'), api.lanes('m'), api.lanes('r')]);
    Object.assign(this.lists, { procs, threads, ranges });
    await this.stateChanged(null);
    this.loading--;
    void this.minimap.load().catch(() => undefined);
  }

  /** Follows the address: window, lanes, selection. */
  async stateChanged(before: ViewState | null) {
    const { window, view } = app.state;
    const wanted = window ? TimeWindow.fit(window[0], window[1], this.win.width, this.duration) : TimeWindow.whole(this.duration, this.win.width);
    if (!before || String(before.window) !== String(window)) {
      if (Math.abs(wanted.start - this.win.start) > wanted.nsPerPx || Math.abs(wanted.nsPerPx / this.win.nsPerPx - 1) > 0.001) this.setWindow(wanted, false);
    }
    if (view === 'g') await this.loadGoroutines();
    this.relayout();
    if (app.state.span && (!before || before.span?.lane !== app.state.span.lane || before.view !== view)) this.reveal(app.state.span.lane);
    this.redraw();
  }

  private async loadGoroutines() {
    const { here, ...filter } = app.state.filter;
    // "alive here" follows the window, in whole pixels, so that a settled window asks once.
    const window: Filter = here ? { from: String(Math.max(0, Math.floor(this.win.start))), to: String(Math.max(1, Math.ceil(this.win.end))) } : {};
    const key = JSON.stringify([filter, window]);
    if (key === this.goroutineKey) return;
    this.goroutineKey = key;
    if (!this.lists.goroutines) this.relayout();
    this.loading++;
    try {
      const columns = await fetchGoroutines({ order: 'ID', ...filter, ...window });
      if (this.goroutineKey === key) this.lists.goroutines = columns;
    } catch {
      this.goroutineKey = '';
    } finally {
      this.loading--;
    }
  }

  private relayout() {
    this.layout = layoutRows(app.info as Info & { points: Record<string, number> }, this.lists, app.state);
    this.spacer.style.height = `${Math.max(0, Math.min(this.layout.height, MAX_SCROLL) - this.scroller.clientHeight)}px`;
  }

  // ---- window -----------------------------------------------------------------------------------

  setWindow(win: TimeWindow, commit = true) {
    this.win = win;
    this.redraw();
    this.settle();
    if (commit) this.commitSoon();
  }

  private readonly commitSoon = debounce(350, () => this.commit());
  private readonly settle = debounce(140, () => {
    this.strips.invalidate();
    this.redraw();
    void this.loadArrows();
    if (app.state.view === 'g' && app.state.filter.here) {
      void this.loadGoroutines().then(() => {
        this.relayout();
        this.redraw();
      });
    }
  });

  /** Writes the window into the address, as a step that Back undoes. */
  commit() {
    const whole = TimeWindow.whole(this.duration, this.win.width);
    const isWhole = Math.abs(whole.nsPerPx / this.win.nsPerPx - 1) < 0.001;
    const window: [number, number] | null = isWhole ? null : [Math.round(this.win.start), Math.round(this.win.end)];
    if (String(window) !== String(app.state.window) && app.state.page === 'timeline') app.go({ window });
  }

  fitWhole() {
    this.setWindow(TimeWindow.whole(this.duration, this.win.width));
  }

  /** F: to the selected range, else the selected span, else everything. */
  fitSelection() {
    const { range } = app.state;
    if (range) this.setWindow(TimeWindow.fit(range[0], range[1], this.win.width, this.duration, 0.05));
    else if (this.selected) this.setWindow(TimeWindow.fit(this.selected.start, this.selected.end, this.win.width, this.duration, 0.5));
    else this.fitWhole();
  }

  // ---- selection --------------------------------------------------------------------------------

  setSelected(detail: SpanDetail | null) {
    this.selected = detail;
    this.spanArrows = [];
    if (detail) {
      this.live.textContent = `${detail.stateLabel} ${detail.g >= 0 ? app.names.label(detail.g) : ''}, ${duration(detail.end - detail.start)}`;
      void this.loadSpanArrows(detail);
    }
    this.redraw();
  }

  private async loadSpanArrows(detail: SpanDetail) {
    const lane = detail.g >= 0 ? `g:${detail.g}` : detail.lane;
    // A wake or a creation reaches a span at its start; what the span did lies inside it.
    const page = await api.arrows(detail.start - 1, detail.end + 1, lane, '', 200).catch(() => null);
    if (page && this.selected === detail) {
      this.spanArrows = page.arrows.filter((a) => (a.toG === detail.g && a.toNs >= detail.start - 1 && a.toNs <= detail.end) || (a.fromG === detail.g && a.fromNs >= detail.start && a.fromNs <= detail.end));
      this.redraw();
    }
  }

  private async loadArrows() {
    const { start, end } = this.win;
    const key = `${Math.round(start)}-${Math.round(end)}`;
    if (key === this.arrowKey || app.state.page !== 'timeline') return;
    this.arrowKey = key;
    const page = await api.arrows(Math.max(0, start), Math.max(1, end), null, '', ARROWS_AT_ONCE).catch(() => null);
    if (!page || this.arrowKey !== key) return;
    this.arrows = page.truncated ? [] : page.arrows;
    this.redraw();
  }

  /** Brings a lane on screen; switches to the view that has it if need be. */
  reveal(key: string) {
    const at = this.layout.place(key);
    if (!at) return;
    const { y } = at;
    const top = this.scrollTop;
    const bottom = top + this.scroller.clientHeight;
    if (y < top + 24 || y + 30 > bottom) this.scrollTo(Math.max(0, y - this.scroller.clientHeight / 3));
  }

  // ---- scrolling: the native scroll bar, scaled when there are more pixels than browsers allow ------

  get scrollTop(): number {
    return this.scroller.scrollTop * this.scrollScale();
  }

  private scrollTo(y: number) {
    this.scroller.scrollTop = y / this.scrollScale();
  }

  private scrollScale(): number {
    const view = this.scroller.clientHeight;
    return this.layout.height <= MAX_SCROLL ? 1 : (this.layout.height - view) / (MAX_SCROLL - view);
  }

  // ---- what is under the mouse ---------------------------------------------------------------------

  rowAt(y: number): { row: Row; y: number } | null {
    const top = this.scrollTop;
    return this.layout.visible(top + y, top + y + 1)[0] ?? null;
  }

  hitTest(x: number, y: number): HitSpan | null {
    const at = this.rowAt(y);
    if (!at || at.row.type !== 'lane') return null;
    return this.spanNear(at.row.key, this.win.ns(x), this.win.nsPerPx * 3);
  }

  private spanNear(lane: string, ns: number, reach: number): HitSpan | null {
    const { pieces } = this.tiles.lookup(lane, ns - reach, ns + reach, this.win.nsPerPx, this.duration);
    let best: HitSpan | null = null;
    let bestDistance = Infinity;
    for (const { tile, from, to } of pieces) {
      for (let i = firstAfter(tile.end, ns - reach); i < tile.start.length && tile.start[i] <= ns + reach; i++) {
        if (tile.start[i] >= to || tile.end[i] <= from) continue;
        const distance = ns < tile.start[i] ? tile.start[i] - ns : ns >= tile.end[i] ? ns - tile.end[i] + 0.001 : 0;
        if (distance < bestDistance) {
          bestDistance = distance;
          best = {
            lane,
            start: tile.start[i],
            end: tile.end[i],
            state: this.states.names[tile.state[i]],
            g: tile.g[i],
            count: tile.count[i],
            busy: tile.busy[i] / 255,
            reason: this.reasons.get(tile.reason[i]) ?? '',
            exact: tile.count[i] === 1 && tile.start[i] > tile.from && tile.end[i] < tile.to,
          };
        }
      }
    }
    return best;
  }

  setHover(x: number | null, y = 0) {
    this.hover = x === null ? null : { x, y, hit: this.hitTest(x, y) };
    this.showTooltip();
    this.redraw();
  }

  private showTooltip() {
    const hover = this.hover;
    const at = hover && this.rowAt(hover.y);
    const text = hover && at ? this.describe(hover, at.row) : null;
    this.tooltip.hidden = !text;
    if (!text || !hover) return;
    this.tooltip.replaceChildren(...text);
    const left = this.labelWidth + hover.x + 14;
    const flip = left + 280 > this.stage.clientWidth;
    this.tooltip.style.transform = `translate(${flip ? left - this.tooltip.offsetWidth - 28 : left}px, ${Math.min(hover.y + 16, this.stage.clientHeight - this.tooltip.offsetHeight - 4)}px)`;
  }

  private describe(hover: { x: number; hit: HitSpan | null }, row: Row): Node[] | null {
    if (row.type === 'counter') return this.describeCounter(row, this.win.ns(hover.x));
    const hit = hover.hit;
    if (!hit) return null;
    const label = app.info.states.find((s) => s.name === hit.state)?.label ?? hit.state;
    const title = h('strong', hit.count > 1 ? `${count(hit.count)} spans` : hit.g >= 0 ? app.names.label(hit.g) : row.type === 'lane' ? row.label : '');
    const lines = [title, h('div', h(`i.dot.c-${hit.state}`), hit.count > 1 ? `mostly ${label}, ${Math.round(hit.busy * 100)} % busy` : `${label}${hit.reason ? ` · ${hit.reason}` : ''}`)];
    if (hit.exact) lines.push(h('div.num', duration(hit.end - hit.start)));
    return lines;
  }

  private describeCounter(row: Extract<Row, { type: 'counter' }>, ns: number): Node[] | null {
    const data = this.sampled.get(row.key)?.current;
    if (!data) return null;
    const lines = row.series.map((s) => {
      const value = valueAt(data, s.name, ns);
      return h('div', h(`i.dot.c-${s.color}`), `${s.label} `, h('span.num', value === null ? '–' : row.unit === 'bytes' ? bytes(value) : count(value)));
    });
    return [h('strong', row.label), ...lines];
  }

  // ---- drawing ------------------------------------------------------------------------------------

  redraw() {
    if (this.frameRequested) return;
    this.frameRequested = true;
    requestAnimationFrame((t) => {
      this.frameRequested = false;
      this.frame(t);
    });
  }

  get labelWidth(): number {
    return this.labels.element.clientWidth;
  }

  private resized() {
    this.scale = devicePixelRatio || 1;
    const width = this.scroller.clientWidth - this.labelWidth;
    const height = this.scroller.clientHeight;
    if (width <= 0 || height <= 0) return;
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(width * this.scale);
      canvas.height = Math.round(height * this.scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.stage.style.height = `${height}px`;
    this.win = app.state.window || this.win.width !== 1000 ? this.win.resize(width) : TimeWindow.whole(this.duration, width);
    this.relayout();
    this.redraw();
    this.settle();
  }

  private themeChanged() {
    this.raster = new Raster(this.states, theme.palette);
    this.strips.clear();
    this.minimap.paint();
    this.redraw();
  }

  private frame(time: number) {
    if (!this.element.isConnected || this.base.width <= 1) return;
    const began = performance.now();
    if (this.input.animate(time)) this.redraw();
    const top = this.scrollTop;
    const height = this.scroller.clientHeight;
    const rows = this.layout.visible(top, top + height);
    this.labels.show(rows, top);
    this.tiles.beginFrame();
    this.strips.beginFrame();
    this.drawRows(rows, top, height, began);
    this.drawOverlay(top, height);
    this.axis.draw(this.win, this.scale, this.hover?.x ?? null);
    this.minimap.show(this.win);
    this.tiles.flush();
    this.frames.push(performance.now() - began);
    if (this.frames.length > 600) this.frames.splice(0, 300);
  }

  private drawRows(rows: { row: Row; y: number }[], top: number, height: number, began: number) {
    const ctx = this.baseCtx;
    const { palette } = theme;
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    ctx.fillStyle = palette.background;
    ctx.fillRect(0, 0, this.win.width, height);
    const late: { row: Row; y: number }[] = [];
    for (const { row, y } of rows) {
      if (row.type === 'lane') this.blitLane(ctx, row, y - top, began, late);
      else this.drawSampledRow(ctx, row, y - top);
      ctx.fillStyle = palette.laneLine;
      ctx.fillRect(0, y - top + row.height - 1, this.win.width, 1);
    }
    if (late.length) this.redraw();
    this.drawEnds(ctx, height);
  }

  /** Time before the first and after the last event is not the trace's. */
  private drawEnds(ctx: CanvasRenderingContext2D, height: number) {
    ctx.fillStyle = theme.palette.laneLine;
    const x0 = this.win.x(0);
    const x1 = this.win.x(this.duration);
    if (x0 > 0) ctx.fillRect(0, 0, x0, height);
    if (x1 < this.win.width) ctx.fillRect(x1, 0, this.win.width - x1, height);
  }

  private blitLane(ctx: CanvasRenderingContext2D, row: Row, y: number, began: number, late: unknown[]) {
    let strip = this.strips.get(row.key);
    const tall = row.height - 4;
    if (!strip || this.needsDrawing(strip, tall)) {
      if (performance.now() - began < STRIP_BUDGET_MS) strip = this.drawStrip(row.key, tall);
      else {
        late.push(row);
        // Even while late, say what this row will need.
        this.tiles.lookup(row.key, this.win.start, this.win.end, this.win.nsPerPx, this.duration);
      }
    } else if (!strip.complete) {
      this.tiles.lookup(row.key, this.win.start, this.win.end, this.win.nsPerPx, this.duration);
    }
    if (!strip) return;
    const x = this.win.x(strip.from);
    const width = (strip.width * strip.nsPerPx) / this.win.nsPerPx;
    if (x + width < 0 || x > this.win.width) return;
    // Exactly on device pixels when the zoom is the strip's own, so that nothing is blurred.
    const snapped = Math.round(x * this.scale) / this.scale;
    const same = Math.abs(strip.nsPerPx * this.scale - this.win.nsPerPx) < this.win.nsPerPx * 1e-9;
    ctx.imageSmoothingEnabled = !same;
    ctx.drawImage(strip.canvas, same ? snapped : x, y + 1, same ? strip.width / this.scale : width, tall);
  }

  private needsDrawing(strip: Strip, tall: number): boolean {
    if (strip.stale || strip.height !== Math.round(tall * this.scale)) return true;
    const nsPerPx = this.win.nsPerPx / this.scale;
    if (Math.abs(strip.nsPerPx - nsPerPx) > nsPerPx * 1e-9) return true;
    const end = strip.from + strip.width * strip.nsPerPx;
    return (strip.from > this.win.start && strip.from > 0) || (end < this.win.end && end < this.duration);
  }

  private drawStrip(key: string, tall: number): Strip {
    const width = Math.ceil(this.win.width * 2 * this.scale);
    const strip = this.strips.prepare(key, width, Math.round(tall * this.scale));
    strip.nsPerPx = this.win.nsPerPx / this.scale;
    strip.from = this.win.start - (this.win.width / 2) * this.win.nsPerPx;
    const end = strip.from + width * strip.nsPerPx;
    const { pieces, complete } = this.tiles.lookup(key, strip.from, end, this.win.nsPerPx, this.duration);
    const shaded = !key.startsWith('g:') && !key.startsWith('r:');
    const { image, pixels } = this.strips.scratch(strip.width, strip.height);
    this.raster.draw(pixels, strip.width, strip.height, pieces, strip.from, strip.nsPerPx, shaded);
    strip.ctx.putImageData(image, 0, 0);
    this.drawNames(strip, pieces, key);
    strip.complete = complete;
    strip.stale = false;
    return strip;
  }

  private drawNames(strip: Strip, pieces: Piece[], key: string) {
    const ctx = strip.ctx;
    const room = 30 * this.scale;
    const viewFrom = (this.win.start - strip.from) / strip.nsPerPx;
    ctx.font = FONT.replace('11px', `${11 * this.scale}px`);
    ctx.textBaseline = 'middle';
    for (const run of exactRuns(pieces, strip.from, strip.from + strip.width * strip.nsPerPx)) {
      let x0 = (run.start - strip.from) / strip.nsPerPx;
      const x1 = (run.end - strip.from) / strip.nsPerPx;
      if (x0 < viewFrom && x1 > viewFrom) x0 = viewFrom;
      if (x1 - x0 < room) continue;
      const text = this.nameOf(run.tile, run.i, key);
      if (!text) continue;
      const state = this.states.names[run.tile.state[run.i]];
      ctx.fillStyle = theme.palette.ink[state] ?? theme.palette.muted;
      const fitted = fit(ctx, text, x1 - x0 - 8 * this.scale);
      if (fitted) ctx.fillText(fitted, x0 + 4 * this.scale, strip.height / 2 + 0.5);
    }
  }

  private nameOf(tile: Tile, i: number, key: string): string {
    const state = this.states.names[tile.state[i]];
    const reason = this.reasons.get(tile.reason[i]) ?? '';
    if (key.startsWith('g:')) return state === 'RUNNING' ? 'running' : reason || (app.info.states.find((s) => s.name === state)?.label ?? '');
    if (key.startsWith('r:')) return this.lists.ranges.some((l) => l.id === key && l.name === reason) ? '' : reason;
    if (tile.g[i] < 0) return state === 'SPINNING' ? 'spinning' : '';
    return `G${tile.g[i]} ${goroutineName(app.names.groupOf(tile.g[i]))}`;
  }

  private drawSampledRow(ctx: CanvasRenderingContext2D, row: Row, y: number) {
    if (row.type === 'section' || row.type === 'lane') {
      if (row.type === 'section') {
        ctx.fillStyle = theme.palette.laneLine;
        ctx.fillRect(0, y, this.win.width, row.height - 1);
      }
      return;
    }
    const sampled = this.sampledRow(row);
    sampled.ensure(this.win.start, this.win.end, this.win.width, this.duration);
    if (!sampled.current) return;
    const x = (ns: number) => this.win.x(ns);
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, y, this.win.width, row.height);
    ctx.clip();
    if (row.type === 'points') {
      drawDensity(ctx, sampled.current, theme.palette.muted, x, this.win.width, y, row.height);
    } else {
      const series = row.series.map((s) => ({ name: s.name, color: theme.palette.states[s.color] ?? theme.palette.muted }));
      const max = drawCounters(ctx, sampled.current, series, row.stacked, x, this.win.width, y, row.height);
      ctx.font = FONT;
      ctx.textBaseline = 'top';
      const text = row.unit === 'bytes' ? bytes(max) : count(max);
      const left = Math.max(0, this.win.x(0)) + 3;
      ctx.fillStyle = theme.palette.background;
      ctx.globalAlpha = 0.8;
      ctx.fillRect(left, y + 1, ctx.measureText(text).width + 6, 13);
      ctx.globalAlpha = 1;
      ctx.fillStyle = theme.palette.muted;
      ctx.fillText(text, left + 3, y + 2);
    }
    ctx.restore();
  }

  private sampledRow(row: Extract<Row, { type: 'counter' | 'points' }>): SampledRow {
    let sampled = this.sampled.get(row.key);
    if (!sampled) {
      const source =
        row.type === 'counter'
          ? (from: number, to: number, px: number, signal: AbortSignal) => api.counters(row.series.map((s) => s.name), from, to, px, signal)
          : (from: number, to: number, px: number, signal: AbortSignal) => api.points(row.kinds, from, to, px, 0, signal);
      this.sampled.set(row.key, (sampled = new SampledRow(source, () => this.redraw())));
    }
    return sampled;
  }

  private drawOverlay(top: number, height: number) {
    const ctx = this.overCtx;
    const { palette } = theme;
    const { view, range, marks } = app.state;
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    ctx.clearRect(0, 0, this.win.width, height);
    const placed: Placed = {
      row: (key) => {
        const at = this.layout.place(key);
        return at && { y: Math.max(-40, Math.min(height + 40, at.y - top)), height: at.height - 2 };
      },
    };
    if (range) drawRange(ctx, this.win, range, height, palette);
    drawMarks(ctx, this.win, marks, height, palette);
    for (const arrow of this.arrows) drawArrow(ctx, this.win, arrow, placed, view, palette, false);
    for (const arrow of this.spanArrows) drawArrow(ctx, this.win, arrow, placed, view, palette, true);
    if (this.hover?.hit) this.box(ctx, this.hover.hit.lane, this.hover.hit.start, this.hover.hit.end, top, palette.muted, 1);
    const s = this.selected;
    if (s) {
      const lanes = new Set([s.lane, ...(s.g >= 0 ? [`g:${s.g}`] : []), ...(s.p >= 0 ? [`p:${s.p}`] : []), ...(s.m >= 0 ? [`m:${s.m}`] : [])]);
      for (const lane of lanes) this.box(ctx, lane, s.start, s.end, top, palette.text, 2);
    }
    if (this.hover) {
      ctx.fillStyle = palette.muted;
      ctx.globalAlpha = 0.35;
      ctx.fillRect(Math.round(this.hover.x), 0, 1, height);
      ctx.globalAlpha = 1;
    }
  }

  private box(ctx: CanvasRenderingContext2D, lane: string, start: number, end: number, top: number, color: string, width: number) {
    const at = this.layout.place(lane);
    if (at) drawBox(ctx, this.win, start, end, at.y - top, at.height - 2, color, width);
  }

  /** For tests and benchmarks: whether everything on screen is drawn from the tiles it wants. */
  get settled(): boolean {
    return !this.loading && !this.frameRequested && !this.tiles.pending;
  }

  get cacheSize() {
    return this.tiles.size;
  }
}

function fit(ctx: CanvasRenderingContext2D, text: string, space: number): string {
  if (space < 8) return '';
  const width = ctx.measureText(text).width;
  if (width <= space) return text;
  const keep = Math.floor((text.length * space) / width) - 1;
  return keep >= 2 ? `${text.slice(0, keep)}…` : '';
}

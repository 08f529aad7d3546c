// The timeline: lanes over time on a canvas.
//
// A frame is drawn only when something changed. It blits the strips of the rows on screen, spends a
// few milliseconds redrawing strips that no longer fit (painter.ts), and asks the server for the
// tiles that were missing. So a frame costs the same whether the trace has a thousand events or a
// hundred million; what is not there yet shows its older, coarser pixels.

import { api, connection, insist, type Filter } from '../api';
import { app } from '../app';
import type { Info, SpanDetail } from '../answers';
import { debounce, h } from '../dom';
import { duration } from '../time';
import { theme } from '../theme';
import type { ViewState } from '../url';
import { Arrows } from './arrows';
import { Axis } from './axis';
import { spanNear, type HitSpan } from './hover';
import { TimelineInput } from './input';
import { Labels } from './labels';
import { LaneStrips } from './lanestrips';
import { Minimap } from './minimap';
import { fetchGoroutines } from './names';
import { drawArrow, drawBox, drawLogs, drawMarks, drawRange, type Placed } from './overlay';
import { Painter, type Painted } from './painter';
import { Pointing } from './pointing';
import { PointsNear, REACH_PX } from './pointsnear';
import { stateTable, type StateTable } from './raster';
import { layoutRows, type LaneLists } from './rowset';
import { RowLayout, type Row } from './rows';
import { SampledStrips } from './sampledstrips';
import { Scroll } from './scroll';
import { pinnedKey, Strips } from './strips';
import { TileCache } from './tiles';
import { tileSource } from './tilesource';
import type { View } from './view';
import { TimeWindow } from './window';

export class Timeline {
  readonly element: HTMLElement;
  win: TimeWindow;
  layout = new RowLayout([]);
  readonly scroller = h('div.tl-scroll', { tabindex: '0', role: 'application', 'aria-label': 'Timeline. Press ? for the keys.', 'data-testid': 'timeline' });
  readonly stage = h('div.tl-stage');
  private readonly spacer = h('div');
  readonly scroll = new Scroll(this.scroller, this.spacer, () => this.layout);
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
    reveal: (key) => this.scroll.reveal(key),
    toggleSection: (key) => app.go({ hidden: app.state.hidden.includes(key) ? app.state.hidden.filter((k) => k !== key) : [...app.state.hidden, key] }, 'replace'),
    select: (key) => this.selectIn(key),
    rows: () => this.layout,
  });
  private readonly live = h('div.sr-only', { role: 'status', 'aria-live': 'polite' });
  private readonly strips = new Strips();
  private readonly painter = new Painter(this.strips);
  private readonly tiles: TileCache;
  private readonly lanes: LaneStrips;
  readonly sampled = new SampledStrips((key) => {
    this.strips.invalidate([key]);
    this.arrived();
  });
  private readonly points = new PointsNear(this.sampled, () => this.arrived());
  private readonly pointing = new Pointing(this, this.points);
  readonly arrows = new Arrows(
    () => this.arrived(),
    () => (app.info as Info & { points: Record<string, number> }).points.LOG > 0,
  );
  private readonly reasons = new Map<number, string>();
  private readonly states: StateTable;
  private lists: LaneLists = { procs: [], threads: [], ranges: [], tasks: [], goroutines: null, nameOf: (g) => app.names.groupOf(g) };
  private goroutineKey = '';
  /** Done when the goroutines of that key are there. */
  private goroutinesCome = Promise.resolve();
  /** False until the lanes are known for the first time. */
  private loaded = false;
  private loading = 0;
  private selected: SpanDetail | null = null;
  private frameRequested = false;
  private scale = 1;
  /** Changes whenever something arrived or was laid out anew. */
  private version = 0;
  /** The range being dragged: it becomes the view's when the mouse is let go. */
  private draft: [number, number] | null = null;
  /** An instant another part of the page points at. */
  private pointed: number | null = null;
  private readonly input: TimelineInput;
  /** Frame times of the last frames, for the benchmark. */
  readonly frames: number[] = [];

  constructor() {
    this.states = stateTable(app.info.states);
    this.win = TimeWindow.whole(this.duration, 1000);
    this.tiles = new TileCache(tileSource(this.reasons), (lanes) => {
      this.strips.invalidate(lanes);
      this.arrived();
    });
    this.lanes = new LaneStrips(this.tiles, this.strips, this.states, this.reasons, (key) => this.lists.ranges.find((l) => l.id === key)?.name);
    this.stage.append(this.labels.element, this.base, this.over, this.pointing.tooltip.element);
    this.scroller.append(this.stage, this.spacer);
    this.element = h('section.timeline', h('div.tl-top', h('div.tl-corner', 'whole trace'), this.minimap.element), h('div.tl-top.tl-axis-row', h('div.tl-corner', { id: 'tl-corner' }), this.axis.element), this.scroller, this.live);
    this.input = new TimelineInput(this);
    this.scroller.addEventListener('scroll', () => (this.redraw(), this.noteTop()), { passive: true });
    new ResizeObserver(() => this.resized()).observe(this.scroller);
    theme.addEventListener('change', () => this.themeChanged());
    connection.addEventListener('change', () => !connection.lost && this.answersAgain());
    void this.load();
  }

  get duration(): number {
    return Math.max(1, app.info.durationNs);
  }

  private get view(): View {
    return { win: this.win, scale: this.scale, duration: this.duration };
  }

  private async load() {
    this.loading++;
    const [procs, threads, ranges, tasks] = await insist(() => Promise.all(['p', 'm', 'r', 't'].map((kind) => api.lanes(kind))));
    Object.assign(this.lists, { procs, threads, ranges, tasks });
    if (app.state.view === 'g') await this.loadGoroutines();
    this.loaded = true;
    await this.stateChanged(null);
    this.loading--;
    await insist(() => this.minimap.load());
  }

  /** The server was gone: whatever it did not answer is asked again. */
  private answersAgain() {
    this.strips.invalidate();
    this.settle();
    if (this.selected && !this.arrows.complete) void this.arrows.loadSpan(this.selected);
    this.redraw();
  }

  /** Follows the address: window, lanes, selection. */
  async stateChanged(before: ViewState | null) {
    const { window, view, span } = app.state;
    const wanted = window ? TimeWindow.fit(window[0], window[1], this.win.width, this.duration) : TimeWindow.whole(this.duration, this.win.width);
    if (!before || String(before.window) !== String(window)) {
      if (Math.abs(wanted.start - this.win.start) > wanted.nsPerPx || Math.abs(wanted.nsPerPx / this.win.nsPerPx - 1) > 0.001) this.setWindow(wanted, false);
    }
    const byAddress = !before || app.fromAddress;
    if (view === 'g') await this.loadGoroutines();
    this.relayout();
    if (!this.loaded) return;
    const placed = byAddress && app.state.top !== null && this.scroll.putFirst(app.state.top);
    if (span && !placed && (!before || before.span?.lane !== span.lane || before.view !== view)) this.revealSelection();
    this.redraw();
    this.noteTop();
  }

  /** Keeps the address true about which lane is on top. */
  private readonly noteTop = debounce(300, () => {
    if (!this.loaded || app.state.page !== 'timeline' || !this.element.isConnected) return;
    const top = this.scroll.first()?.key ?? null;
    if (top !== app.state.top) app.go({ top }, 'replace');
  });

  /** "Alive here", which is what one wants unless one says so (`0`), follows the window. */
  private get aliveOnly(): boolean {
    return app.state.filter.here !== '0' && (this.win.start > 0 || this.win.end < this.duration);
  }

  private loadGoroutines(): Promise<void> {
    const { here: _, ...filter } = app.state.filter;
    // In whole pixels, so that a settled window asks once.
    const window: Filter = this.aliveOnly ? { from: String(Math.max(0, Math.floor(this.win.start))), to: String(Math.max(1, Math.ceil(this.win.end))) } : {};
    const key = JSON.stringify([filter, window]);
    if (key !== this.goroutineKey) {
      this.goroutineKey = key;
      if (!this.lists.goroutines) this.relayout();
      this.goroutinesCome = this.askGoroutines(key, { order: 'ID', ...filter, ...window });
    }
    return this.goroutinesCome;
  }

  private async askGoroutines(key: string, filter: Filter) {
    this.loading++;
    try {
      const columns = await fetchGoroutines(filter);
      if (this.goroutineKey !== key) return;
      // Rows come and go with the window; what one looks at stays where it is.
      const first = this.scroll.first();
      this.lists.goroutines = columns;
      this.relayout();
      if (first) this.scroll.putFirst(first.key, first.hidden);
    } catch {
      if (this.goroutineKey === key) this.goroutineKey = '';
    } finally {
      this.loading--;
    }
  }

  private relayout() {
    this.layout = layoutRows(app.info as Info & { points: Record<string, number> }, this.lists, app.state);
    this.scroll.fit();
    this.version++;
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
    if (app.state.page === 'timeline') void this.arrows.loadWindow(this.win);
    if (app.state.view === 'g') void this.loadGoroutines().then(() => this.redraw());
  });

  /** Writes the window into the address, as a step that Back undoes. */
  commit() {
    const whole = TimeWindow.whole(this.duration, this.win.width);
    const isWhole = Math.abs(whole.nsPerPx / this.win.nsPerPx - 1) < 0.001;
    const window: [number, number] | null = isWhole ? null : [Math.round(this.win.start), Math.round(this.win.end)];
    if (String(window) !== String(app.state.window) && app.state.page === 'timeline') app.go({ window });
  }

  /** A range that is still being dragged; null when it is not any more. */
  setDraft(range: [number, number] | null) {
    this.draft = range;
    this.redraw();
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
    void this.arrows.loadSpan(detail);
    if (detail) {
      this.live.textContent = `${detail.stateLabel} ${detail.g >= 0 ? app.names.label(detail.g) : ''}, ${duration(detail.end - detail.start)}`;
      this.revealSelection();
    }
    this.redraw();
  }

  /** Brings the selected span on screen, on its own lane or on the one that stands for it in this view. */
  private revealSelection() {
    const s = this.selected;
    const { span } = app.state;
    const lanes = [span?.lane, ...(s && s.lane === span?.lane ? [`g:${s.g}`, `p:${s.p}`, `m:${s.m}`] : [])];
    const shown = lanes.find((lane) => lane && this.layout.place(lane));
    if (shown && !app.state.pinned.includes(shown)) this.scroll.reveal(shown);
  }

  /** Selects what a lane does nearest to the middle of the window: the keyboard's click. */
  private selectIn(key: string) {
    const { win } = this;
    const hit = this.layout.place(key) && spanNear(this.tiles, this.states, this.reasons, key, win.ns(win.width / 2), this.view, win.width / 2);
    if (hit) app.go({ span: { lane: key, at: hit.start }, range: null });
    else this.live.textContent = 'Nothing on this lane in the window.';
  }

  /** The window of a span and a little around it; closer, at least, to where it was pointed at. */
  async fitSpan(at: { lane: string; at: number } | null, x: number) {
    const { win } = this;
    const closer = win.zoom(0.25, x);
    const detail = at && !at.lane.startsWith('x:') ? await api.span(at.lane, at.at).catch(() => null) : null;
    if (this.win !== win) return;
    const fitted = detail && TimeWindow.fit(detail.start, detail.end, win.width, this.duration, 0.5);
    this.setWindow(fitted && fitted.nsPerPx < win.nsPerPx ? fitted : closer);
  }

  // ---- what is under the mouse ---------------------------------------------------------------------

  rowAt(y: number): { row: Row; y: number } | null {
    const top = this.scroll.top;
    return this.layout.visible(top, top + this.scroller.clientHeight).reverse().find((at) => at.y <= top + y && top + y < at.y + at.row.height) ?? null;
  }

  hitTest(x: number, y: number): HitSpan | null {
    const at = this.rowAt(y);
    if (!at || at.row.type !== 'lane') return null;
    return spanNear(this.tiles, this.states, this.reasons, at.row.key, this.win.ns(x), this.view);
  }

  setHover(x: number | null, y = 0) {
    this.pointing.at = x === null ? null : { x, y };
    document.dispatchEvent(new CustomEvent('gmptrace:cursor', { detail: x === null ? null : this.win.ns(x) }));
    this.redraw();
  }

  /** What a click there would select: a span, or the point events of a row. */
  spanAt(x: number, y: number): { lane: string; at: number } | null {
    const row = this.rowAt(y)?.row;
    const ns = Math.round(this.win.ns(x));
    if (row?.type === 'points') return this.points.any(row, ns, this.win) ? { lane: row.key, at: ns } : null;
    const hit = this.hitTest(x, y);
    return hit && { lane: hit.lane, at: hit.count === 1 ? hit.start : Math.min(Math.max(ns, hit.start), hit.end - 1) };
  }

  /** Shows an instant that another part of the page points at; null for none. */
  pointAt(ns: number | null) {
    this.pointed = ns;
    this.redraw();
  }

  // ---- drawing ------------------------------------------------------------------------------------

  private arrived() {
    this.version++;
    this.redraw();
  }

  redraw() {
    if (this.frameRequested) return;
    this.frameRequested = true;
    requestAnimationFrame((t) => {
      this.frameRequested = false;
      this.frame(t);
    });
  }

  /** Kept, because asking the element in every frame would make the browser lay out the page. */
  labelWidth = 220;

  private resized() {
    this.scale = devicePixelRatio || 1;
    this.labelWidth = this.labels.element.clientWidth;
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
    this.lanes.themeChanged();
    this.strips.clear();
    this.minimap.paint();
    this.redraw();
  }

  private frame(time: number) {
    if (!this.element.isConnected || this.base.width <= 1) return;
    const began = performance.now();
    if (this.input.animate(time)) this.redraw();
    const top = this.scroll.top;
    const height = this.scroller.clientHeight;
    const rows = this.layout.visible(top, top + height);
    this.labels.show(rows, top);
    this.tiles.beginFrame();
    const placed = this.placed(top, height);
    this.pointing.refresh(this.version, height, placed);
    this.drawRows(rows, top, height, began);
    this.drawOverlay(top, height, placed);
    this.axis.draw(this.win, this.scale, this.draft ?? app.state.range, this.pointing.at?.x ?? (this.pointed === null ? null : this.win.x(this.pointed)));
    this.minimap.show(this.win);
    this.tiles.flush();
    this.frames.push(performance.now() - began);
    if (this.frames.length > 600) this.frames.splice(0, 300);
  }

  private drawRows(rows: { row: Row; y: number }[], top: number, height: number, began: number) {
    const ctx = this.baseCtx;
    const { palette } = theme;
    const view = this.view;
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    ctx.fillStyle = palette.background;
    ctx.fillRect(0, 0, this.win.width, height);
    const painted: Painted[] = [];
    for (const { row, y } of rows) {
      if (row.type === 'lane') {
        painted.push({ key: row.pinned ? pinnedKey(row.key) : row.key, y: y - top + 1, tall: row.height - 4, covers: row.pinned, draw: (strip) => this.lanes.draw(strip, row.key, view), missing: () => this.lanes.missing(row.key, view) });
      } else if (row.type !== 'section') {
        this.sampled.ensure(row, view);
        painted.push({ key: row.key, y: y - top, tall: row.height - 1, draw: (strip) => this.sampled.draw(strip, row, view) });
      }
    }
    if (this.painter.paint(ctx, painted, view, began)) this.redraw();
    ctx.fillStyle = palette.laneLine;
    for (const { row, y } of rows) ctx.fillRect(0, row.type === 'section' ? y - top : y - top + row.height - 1, this.win.width, row.type === 'section' ? row.height - 1 : 1);
    for (const { row, y } of rows) if (row.type === 'counter') this.sampled.drawScale(ctx, row, y - top, view);
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

  /** Where rows are on screen, or just outside it. */
  private placed(top: number, height: number): Placed {
    return {
      row: (key) => {
        const at = this.layout.place(key, top);
        return at && { y: Math.max(-40, Math.min(height + 40, at.y - top)), height: at.height - 2 };
      },
    };
  }

  private drawOverlay(top: number, height: number, placed: Placed) {
    const ctx = this.overCtx;
    const { palette } = theme;
    const { view, marks } = app.state;
    const range = this.draft ?? app.state.range;
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    ctx.clearRect(0, 0, this.win.width, height);
    if (range) drawRange(ctx, this.win, range, height, palette);
    drawMarks(ctx, this.win, marks, height, palette);
    drawLogs(ctx, this.win, this.arrows.logs, placed, palette);
    for (const arrow of this.arrows.ofWindow) drawArrow(ctx, this.win, arrow, placed, view, palette, false);
    for (const arrow of this.arrows.ofSpan) drawArrow(ctx, this.win, arrow, placed, view, palette, true);
    const { hit, arrow } = this.pointing;
    if (arrow) drawArrow(ctx, this.win, arrow, placed, view, palette, true);
    else if (hit) this.box(ctx, hit.lane, hit.start, hit.end, top, palette.muted, 1);
    const { span } = app.state;
    if (span?.lane.startsWith('x:')) this.box(ctx, span.lane, span.at - REACH_PX * this.win.nsPerPx, span.at + REACH_PX * this.win.nsPerPx, top, palette.text, 2);
    const s = this.selected;
    if (s) {
      const lanes = new Set([s.lane, ...(s.g >= 0 ? [`g:${s.g}`] : []), ...(s.p >= 0 ? [`p:${s.p}`] : []), ...(s.m >= 0 ? [`m:${s.m}`] : [])]);
      for (const lane of lanes) this.box(ctx, lane, s.start, s.end, top, palette.text, 2);
    }
    const cursor = this.pointing.at?.x ?? (this.pointed === null ? null : this.win.x(this.pointed));
    if (cursor !== null) {
      ctx.fillStyle = palette.muted;
      ctx.globalAlpha = 0.35;
      ctx.fillRect(Math.round(cursor), 0, 1, height);
      ctx.globalAlpha = 1;
    }
  }

  private box(ctx: CanvasRenderingContext2D, lane: string, start: number, end: number, top: number, color: string, width: number) {
    const at = this.layout.place(lane, top);
    if (at) drawBox(ctx, this.win, start, end, at.y - top, at.height - 2, color, width);
  }

  /** For tests and benchmarks: whether everything on screen is drawn from what it wants, and the address says so. */
  get settled(): boolean {
    const quiet = !this.settle.waiting() && !this.commitSoon.waiting() && !this.noteTop.waiting() && !app.address.waiting;
    return quiet && this.loaded && !this.loading && !this.frameRequested && !this.tiles.pending && !this.sampled.loading && !this.arrows.loading;
  }

  get cacheSize() {
    return this.tiles.size;
  }
}

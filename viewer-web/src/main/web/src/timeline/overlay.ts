// Everything that changes with the mouse and is drawn above the lanes: cursor, hovered and selected
// span, selected range, marks, arrows.

import type { Arrow, LogMark } from '../answers';
import type { Palette } from '../theme';
import type { TimeWindow } from './window';

export interface Placed {
  /** Top and height of the row with this key, on screen or just outside it; null when not shown. */
  row(key: string): { y: number; height: number } | null;
}

export function drawRange(ctx: CanvasRenderingContext2D, win: TimeWindow, range: [number, number], height: number, palette: Palette) {
  const a = win.x(range[0]);
  const b = win.x(range[1]);
  if (b < 0 || a > win.width) return;
  ctx.save();
  ctx.fillStyle = palette.selection;
  ctx.globalAlpha = 0.09;
  ctx.fillRect(a, 0, Math.max(1, b - a), height);
  ctx.globalAlpha = 0.8;
  ctx.fillRect(Math.round(a), 0, 1, height);
  ctx.fillRect(Math.round(b) - 1, 0, 1, height);
  ctx.restore();
}

export function drawMarks(ctx: CanvasRenderingContext2D, win: TimeWindow, marks: number[], height: number, palette: Palette) {
  ctx.save();
  ctx.strokeStyle = palette.accent;
  ctx.setLineDash([4, 3]);
  ctx.lineWidth = 1;
  for (const mark of marks) {
    const x = Math.round(win.x(mark)) + 0.5;
    if (x < 0 || x > win.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, 0);
    ctx.lineTo(x, height);
    ctx.stroke();
  }
  ctx.restore();
}

export function drawBox(ctx: CanvasRenderingContext2D, win: TimeWindow, start: number, end: number, y: number, height: number, color: string, lineWidth: number) {
  const a = Math.max(-2, win.x(start));
  const b = Math.min(win.width + 2, win.x(end));
  if (b < -1 || a > win.width + 1) return;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = lineWidth;
  ctx.strokeRect(a + 0.5, y + 1, Math.max(2, b - a - 1), height - 2);
  ctx.restore();
}

/** Log messages: a notch on the lane of their task, or on that of their goroutine. */
export function drawLogs(ctx: CanvasRenderingContext2D, win: TimeWindow, logs: LogMark[], placed: Placed, palette: Palette) {
  ctx.fillStyle = palette.text;
  for (const log of logs) {
    const x = win.x(log.ns);
    const row = x >= -4 && x <= win.width + 4 ? placed.row(logLane(log)) : null;
    if (!row) continue;
    ctx.beginPath();
    ctx.moveTo(x - 4, row.y + 1);
    ctx.lineTo(x + 4, row.y + 1);
    ctx.lineTo(x, row.y + 7);
    ctx.fill();
    ctx.fillRect(x - 0.5, row.y + 1, 1, row.height - 2);
  }
}

const logLane = (log: LogMark) => log.lane ?? `g:${log.g}`;

/** The log mark under the mouse. */
export function logNear(logs: LogMark[], lane: string, win: TimeWindow, x: number): LogMark | null {
  return logs.find((log) => logLane(log) === lane && Math.abs(win.x(log.ns) - x) <= 4) ?? null;
}

/** Which row an arrow's end lies on: the lane of the current view that has it. */
export function arrowKeys(arrow: Arrow, view: 'p' | 'm' | 'g'): [string, string] {
  if (view === 'g') return [`g:${arrow.fromG}`, `g:${arrow.toG}`];
  if (view === 'm') return [`m:${arrow.fromM}`, `m:${arrow.toM}`];
  return [`p:${arrow.fromP}`, `p:${arrow.toP}`];
}

export function drawArrow(ctx: CanvasRenderingContext2D, win: TimeWindow, arrow: Arrow, placed: Placed, view: 'p' | 'm' | 'g', palette: Palette, strong: boolean) {
  const [fromKey, toKey] = arrowKeys(arrow, view);
  const from = placed.row(fromKey);
  const to = placed.row(toKey);
  if (!from || !to) return;
  const x0 = win.x(arrow.fromNs);
  const x1 = win.x(arrow.toNs);
  if (Math.max(x0, x1) < -50 || Math.min(x0, x1) > win.width + 50) return;
  // On one and the same lane only those that bridge a visible gap say something.
  if (!strong && fromKey === toKey && Math.abs(x1 - x0) < 18) return;
  const y0 = from.y + from.height / 2;
  const y1 = to.y + to.height / 2;
  ctx.save();
  ctx.strokeStyle = palette.arrows[arrow.kind] ?? palette.muted;
  ctx.fillStyle = ctx.strokeStyle;
  ctx.globalAlpha = strong ? 1 : 0.5;
  ctx.lineWidth = strong ? 1.75 : 1;
  const bend = Math.max(12, Math.min(60, Math.abs(x1 - x0) / 2));
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  const lift = fromKey === toKey ? from.height * 0.7 : 0;
  ctx.bezierCurveTo(x0 + bend, y0 - lift, x1 - bend, y1 - lift, x1 - 5, y1);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x1 - 7, y1 - 3.5);
  ctx.lineTo(x1 - 7, y1 + 3.5);
  ctx.fill();
  ctx.beginPath();
  ctx.arc(x0, y0, 2, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}

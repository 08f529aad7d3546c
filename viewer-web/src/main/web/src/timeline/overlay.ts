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

/** Where an arrow is drawn: a curve from one lane to another. */
interface Curve {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  bend: number;
  lift: number;
}

function curveOf(arrow: Arrow, win: TimeWindow, placed: Placed, view: 'p' | 'm' | 'g', always: boolean): Curve | null {
  const [fromKey, toKey] = arrowKeys(arrow, view);
  const from = placed.row(fromKey);
  const to = placed.row(toKey);
  if (!from || !to) return null;
  const x0 = win.x(arrow.fromNs);
  const x1 = win.x(arrow.toNs);
  if (Math.max(x0, x1) < -50 || Math.min(x0, x1) > win.width + 50) return null;
  // On one and the same lane only those that bridge a visible gap say something.
  if (!always && fromKey === toKey && Math.abs(x1 - x0) < 18) return null;
  return { x0, y0: from.y + from.height / 2, x1, y1: to.y + to.height / 2, bend: Math.max(12, Math.min(60, Math.abs(x1 - x0) / 2)), lift: fromKey === toKey ? from.height * 0.7 : 0 };
}

/** @param strong one of the selected span, or under the mouse */
export function drawArrow(ctx: CanvasRenderingContext2D, win: TimeWindow, arrow: Arrow, placed: Placed, view: 'p' | 'm' | 'g', palette: Palette, strong: boolean) {
  const curve = curveOf(arrow, win, placed, view, strong);
  if (!curve) return;
  const { x0, y0, x1, y1, bend, lift } = curve;
  const line = new Path2D();
  line.moveTo(x0, y0);
  line.bezierCurveTo(x0 + bend, y0 - lift, x1 - bend, y1 - lift, x1 - 5, y1);
  const head = new Path2D();
  const size = strong ? 9 : 7;
  head.moveTo(x1, y1);
  head.lineTo(x1 - size, y1 - size / 2);
  head.lineTo(x1 - size, y1 + size / 2);
  head.closePath();
  head.moveTo(x0 + 2.5, y0);
  head.arc(x0, y0, 2.5, 0, 2 * Math.PI);
  ctx.save();
  // A rim of background keeps the line apart from blocks of any colour.
  ctx.strokeStyle = palette.background;
  ctx.lineWidth = strong ? 5 : 3;
  ctx.globalAlpha = strong ? 0.9 : 0.6;
  ctx.stroke(line);
  ctx.strokeStyle = palette.arrows[arrow.kind] ?? palette.muted;
  ctx.fillStyle = ctx.strokeStyle;
  ctx.globalAlpha = strong ? 1 : 0.85;
  ctx.lineWidth = strong ? 2.25 : 1.25;
  ctx.stroke(line);
  ctx.fill(head);
  ctx.restore();
}

const NEAR_PX = 4;
const SAMPLES = 24;

/** The first arrow whose curve passes under the mouse. */
export function arrowNear(arrows: Arrow[], win: TimeWindow, placed: Placed, view: 'p' | 'm' | 'g', x: number, y: number): Arrow | null {
  return (
    arrows.find((arrow) => {
      const c = curveOf(arrow, win, placed, view, false);
      if (!c || x < Math.min(c.x0, c.x1) - c.bend || x > Math.max(c.x0, c.x1) + c.bend) return false;
      let [px, py] = [c.x0, c.y0];
      for (let i = 1; i <= SAMPLES; i++) {
        const [qx, qy] = pointOn(c, i / SAMPLES);
        if (fromSegment(x, y, px, py, qx, qy) <= NEAR_PX) return true;
        [px, py] = [qx, qy];
      }
      return false;
    }) ?? null
  );
}

function pointOn({ x0, y0, x1, y1, bend, lift }: Curve, t: number): [number, number] {
  const u = 1 - t;
  const at = (a: number, b: number, c: number, d: number) => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
  return [at(x0, x0 + bend, x1 - bend, x1), at(y0, y0 - lift, y1 - lift, y1)];
}

function fromSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / Math.max(dx * dx + dy * dy, 1e-9)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

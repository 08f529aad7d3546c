import { app } from '../app';
import { h } from '../dom';
import { duration, instant, ticks } from '../time';
import { theme } from '../theme';
import type { TimeWindow } from './window';

export const AXIS_HEIGHT = 34;

/** The ruler above the lanes: ticks, the selected range with its length, marks, the cursor's time. */
export class Axis {
  readonly element = h('canvas.axis', { 'aria-hidden': 'true' });
  private readonly ctx = this.element.getContext('2d')!;

  draw(win: TimeWindow, scale: number, range: [number, number] | null, cursor: number | null) {
    const { palette } = theme;
    const ctx = this.ctx;
    const width = Math.max(1, Math.round(win.width * scale));
    if (this.element.width !== width || this.element.height !== AXIS_HEIGHT * scale) {
      this.element.width = width;
      this.element.height = AXIS_HEIGHT * scale;
      this.element.style.width = `${win.width}px`;
      this.element.style.height = `${AXIS_HEIGHT}px`;
    }
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    ctx.clearRect(0, 0, win.width, AXIS_HEIGHT);
    ctx.font = FONT;
    ctx.textBaseline = 'alphabetic';
    const { step, at } = ticks(win.start, win.end, win.nsPerPx, app.clock.mode === 'wall' && app.wall ? 150 : 110, app.clock);
    const box = cursor === null ? null : this.cursorBox(win, cursor);
    for (const t of at) {
      if (t < 0) continue;
      const x = Math.round(win.x(t)) + 0.5;
      ctx.strokeStyle = palette.grid;
      ctx.beginPath();
      ctx.moveTo(x, 22);
      ctx.lineTo(x, AXIS_HEIGHT);
      ctx.stroke();
      ctx.fillStyle = palette.muted;
      const label = instant(t, step, app.clock);
      // Half a label beside the cursor's time would be read as another time.
      if (box && x + 4 < box.left + box.width && x + 4 + ctx.measureText(label).width > box.left) continue;
      ctx.fillText(label, x + 4, AXIS_HEIGHT - 5);
    }
    if (range) this.drawRange(win, range);
    for (const mark of app.state.marks) this.flag(win, mark);
    if (box) this.drawCursor(box);
  }

  private drawRange(win: TimeWindow, range: [number, number]) {
    const { palette } = theme;
    const a = win.x(range[0]);
    const b = win.x(range[1]);
    if (b < 0 || a > win.width) return;
    const ctx = this.ctx;
    ctx.fillStyle = palette.selection;
    ctx.globalAlpha = 0.14;
    ctx.fillRect(a, 0, b - a, AXIS_HEIGHT);
    ctx.globalAlpha = 1;
    const text = duration(range[1] - range[0]);
    const w = ctx.measureText(text).width;
    const middle = Math.min(Math.max((Math.max(a, 0) + Math.min(b, win.width)) / 2, w / 2 + 6), win.width - w / 2 - 6);
    ctx.fillRect(middle - w / 2 - 5, 2, w + 10, 16);
    ctx.fillStyle = palette.background;
    ctx.fillText(text, middle - w / 2, 14);
  }

  private flag(win: TimeWindow, ns: number) {
    const x = Math.round(win.x(ns)) + 0.5;
    if (x < -8 || x > win.width) return;
    const ctx = this.ctx;
    ctx.fillStyle = theme.palette.accent;
    ctx.beginPath();
    ctx.moveTo(x, 3);
    ctx.lineTo(x + 9, 7);
    ctx.lineTo(x, 11);
    ctx.fill();
    ctx.fillRect(x - 0.5, 3, 1, AXIS_HEIGHT);
  }

  private cursorBox(win: TimeWindow, x: number): { text: string; left: number; width: number } {
    const text = instant(win.ns(x), Math.max(1, win.nsPerPx), app.clock);
    const width = this.ctx.measureText(text).width + 10;
    return { text, left: Math.min(Math.max(0, x - width / 2), win.width - width), width };
  }

  private drawCursor({ text, left, width }: { text: string; left: number; width: number }) {
    const ctx = this.ctx;
    ctx.fillStyle = theme.palette.background;
    ctx.fillRect(left, AXIS_HEIGHT - 17, width, 17);
    ctx.fillStyle = theme.palette.text;
    ctx.fillText(text, left + 5, AXIS_HEIGHT - 5);
  }
}

export const FONT = '11px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';

import { api } from '../api';
import { app } from '../app';
import { dragging, h } from '../dom';
import { heat, theme } from '../theme';
import { instant } from '../time';
import type { TimeWindow } from './window';

const HEIGHT = 46;
const COLUMNS = 1200;

/**
 * The whole trace at a glance: a row per P (merged when there are many), coloured by its utilisation. The
 * window is a frame that can be dragged; dragging elsewhere chooses a new window. From the keyboard it is
 * a slider.
 */
export class Minimap {
  readonly element = h('div.minimap', { role: 'slider', tabindex: '0', 'aria-label': 'The window in the whole trace. Left and right: move it. Plus and minus: closer, wider. Home and End: to the ends.', 'aria-valuemin': '0', 'aria-valuemax': '100' });
  private readonly canvas = h('canvas', { 'aria-hidden': 'true' });
  private readonly frame = h('div.minimap-window');
  private win: TimeWindow | null = null;
  private data: { procs: number; columns: number; busy: Uint8Array } | null = null;

  constructor(private readonly choose: (from: number, to: number, done: boolean) => void) {
    this.element.append(this.canvas, this.frame);
    this.element.addEventListener('pointerdown', (e) => this.drag(e));
    this.element.addEventListener('keydown', (e) => this.keyDown(e));
  }

  async load() {
    const answer = await api.heatmap(COLUMNS);
    this.data = { procs: answer.meta.procs.length, columns: answer.meta.width, busy: answer.busy };
    this.paint();
  }

  paint() {
    if (!this.data) return;
    const { procs, columns, busy } = this.data;
    const rows = Math.max(1, Math.min(procs, HEIGHT));
    this.canvas.width = columns;
    this.canvas.height = rows;
    const image = new ImageData(columns, rows);
    for (let y = 0; y < rows; y++) {
      const first = Math.floor((y * procs) / rows);
      const last = Math.max(first + 1, Math.floor(((y + 1) * procs) / rows));
      for (let x = 0; x < columns; x++) {
        let sum = 0;
        for (let p = first; p < last && p < procs; p++) sum += busy[p * columns + x];
        const [r, g, b] = heat(theme.palette.heat, sum / (255 * (last - first)));
        image.data.set([r, g, b, 255], (y * columns + x) * 4);
      }
    }
    this.canvas.getContext('2d')!.putImageData(image, 0, 0);
  }

  show(win: TimeWindow) {
    const moved = !this.win || this.win.start !== win.start || this.win.nsPerPx !== win.nsPerPx;
    this.win = win;
    const d = Math.max(app.info.durationNs, 1);
    if (moved) {
      this.element.setAttribute('aria-valuenow', String(Math.round((100 * Math.max(0, win.start)) / d)));
      this.element.setAttribute('aria-valuetext', `${instant(Math.max(0, win.start), win.nsPerPx, app.clock)} to ${instant(Math.min(d, win.end), win.nsPerPx, app.clock)}`);
    }
    const left = Math.max(0, win.start / d);
    const right = Math.min(1, win.end / d);
    this.frame.style.left = `${left * 100}%`;
    this.frame.style.width = `${Math.max(0, right - left) * 100}%`;
    this.frame.hidden = left <= 0.001 && right >= 0.999;
  }

  private keyDown(e: KeyboardEvent) {
    if (!this.win || e.ctrlKey || e.metaKey || e.altKey) return;
    const { start, end, duration: whole } = this.win;
    const span = end - start;
    const zoom = (factor: number) => this.choose(start + (span * (1 - factor)) / 2, end - (span * (1 - factor)) / 2, true);
    const move = (by: number) => this.choose(start + by, end + by, true);
    if (e.key === 'ArrowLeft' || e.key === 'ArrowDown') move(-span / 4);
    else if (e.key === 'ArrowRight' || e.key === 'ArrowUp') move(span / 4);
    else if (e.key === 'PageUp') move(-span);
    else if (e.key === 'PageDown') move(span);
    else if (e.key === 'Home') this.choose(0, span, true);
    else if (e.key === 'End') this.choose(whole - span, whole, true);
    else if (e.key === '+' || e.key === '=') zoom(0.5);
    else if (e.key === '-') zoom(2);
    else return;
    // The arrows step through spans elsewhere on the page.
    e.stopPropagation();
    e.preventDefault();
  }

  private drag(down: PointerEvent) {
    const box = this.element.getBoundingClientRect();
    const ns = (e: PointerEvent) => ((e.clientX - box.left) / box.width) * app.info.durationNs;
    const frame = this.frame.getBoundingClientRect();
    const moving = !this.frame.hidden && down.clientX >= frame.left && down.clientX <= frame.right;
    const from = (frame.left - box.left) / box.width;
    const width = frame.width / box.width;
    const start = ns(down);
    const update = (e: PointerEvent, done: boolean) => {
      if (moving) {
        const shift = (e.clientX - down.clientX) / box.width;
        this.choose((from + shift) * app.info.durationNs, (from + shift + width) * app.info.durationNs, done);
      } else if (Math.abs(e.clientX - down.clientX) > 3) {
        this.choose(Math.min(start, ns(e)), Math.max(start, ns(e)), done);
      } else if (done) {
        const span = width * app.info.durationNs || app.info.durationNs / 10;
        this.choose(start - span / 2, start + span / 2, true);
      }
    };
    dragging(
      (e) => update(e, false),
      (e, cancelled) => !cancelled && update(e, true),
    );
    down.preventDefault();
  }
}

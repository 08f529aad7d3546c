import { api } from '../api';
import { app } from '../app';
import { dragging, h } from '../dom';
import { heat, theme } from '../theme';
import type { TimeWindow } from './window';

const HEIGHT = 46;
const COLUMNS = 1200;

/**
 * The whole trace at a glance: a row per P (merged when there are many), darker means busier. The
 * window is a frame that can be dragged; dragging elsewhere chooses a new window.
 */
export class Minimap {
  readonly element = h('div.minimap', { role: 'img', 'aria-label': 'Utilisation of the Ps over the whole trace' });
  private readonly canvas = h('canvas');
  private readonly frame = h('div.minimap-window');
  private data: { procs: number; columns: number; busy: Uint8Array } | null = null;

  constructor(private readonly choose: (from: number, to: number, done: boolean) => void) {
    this.element.append(this.canvas, this.frame);
    this.element.addEventListener('pointerdown', (e) => this.drag(e));
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
    const d = Math.max(app.info.durationNs, 1);
    const left = Math.max(0, win.start / d);
    const right = Math.min(1, win.end / d);
    this.frame.style.left = `${left * 100}%`;
    this.frame.style.width = `${Math.max(0, right - left) * 100}%`;
    this.frame.hidden = left <= 0.001 && right >= 0.999;
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

// A strip is the drawn picture of one row over a piece of time wider than the screen. While the
// window moves, strips are only blitted (and stretched while zooming); they are redrawn a few at a
// time, within a budget per frame, and until then the old pixels stay.

export interface Strip {
  canvas: HTMLCanvasElement;
  ctx: CanvasRenderingContext2D;
  /** Time at x = 0 and time per device pixel of what is drawn. */
  from: number;
  nsPerPx: number;
  width: number;
  height: number;
  /** Whether everything wanted was at hand when it was drawn. */
  complete: boolean;
  stale: boolean;
  lastUsed: number;
}

/** The key of the strip of a lane's pinned copy, which has another height. */
export const pinnedKey = (key: string) => `pin/${key}`;

/** Beyond this many, strips out of sight are taken over by new rows. */
const MAX_STRIPS = 56;

export class Strips {
  private readonly strips = new Map<string, Strip>();
  private readonly scratches = new Map<string, { image: ImageData; pixels: Uint32Array }>();
  private frame = 0;

  beginFrame() {
    this.frame++;
  }

  get(key: string): Strip | undefined {
    const strip = this.strips.get(key);
    if (strip) strip.lastUsed = this.frame;
    return strip;
  }

  /** A strip of the given size for `key`, taking over the canvas of one out of use if possible. */
  prepare(key: string, width: number, height: number): Strip {
    let strip = this.strips.get(key) ?? this.recycle(key);
    if (!strip) {
      const canvas = document.createElement('canvas');
      const ctx = canvas.getContext('2d', { alpha: false })!;
      strip = { canvas, ctx, from: 0, nsPerPx: 1, width: 1, height: 1, complete: false, stale: true, lastUsed: this.frame };
      this.strips.set(key, strip);
    }
    if (strip.width !== width || strip.height !== height) {
      strip.canvas.width = width;
      strip.canvas.height = height;
      strip.width = width;
      strip.height = height;
    }
    strip.lastUsed = this.frame;
    return strip;
  }

  /** Pixels to draw a strip of this size in; shared, because strips are drawn one after the other. */
  scratch(width: number, height: number): { image: ImageData; pixels: Uint32Array } {
    const key = `${width}x${height}`;
    let found = this.scratches.get(key);
    if (!found) {
      if (this.scratches.size >= 4) this.scratches.clear();
      const image = new ImageData(width, height);
      this.scratches.set(key, (found = { image, pixels: new Uint32Array(image.data.buffer) }));
    }
    return found;
  }

  invalidate(keys?: Iterable<string>) {
    if (keys) for (const key of keys) this.mark(key);
    else for (const key of this.strips.keys()) this.mark(key);
  }

  clear() {
    this.strips.clear();
  }

  private mark(key: string) {
    for (const strip of [this.strips.get(key), this.strips.get(pinnedKey(key))]) if (strip) strip.stale = true;
  }

  private recycle(key: string): Strip | undefined {
    if (this.strips.size < MAX_STRIPS) return undefined;
    let oldest: string | undefined;
    for (const [k, s] of this.strips) {
      if (s.lastUsed < this.frame - 1 && (oldest === undefined || s.lastUsed < this.strips.get(oldest)!.lastUsed)) oldest = k;
    }
    if (oldest === undefined) return undefined;
    const strip = this.strips.get(oldest)!;
    this.strips.delete(oldest);
    this.strips.set(key, strip);
    strip.stale = true;
    return strip;
  }
}

// The visible piece of time. Pure: every change gives a new window, so it can be tested and undone.

export interface Span1D {
  start: number;
  end: number;
}

/** Closer than this there is nothing to see: events are whole nanoseconds apart. */
export const MIN_NS_PER_PX = 0.05;

export class TimeWindow {
  constructor(
    /** Time at the left edge, in ns since the trace began. */
    readonly start: number,
    readonly nsPerPx: number,
    readonly width: number,
    readonly duration: number,
  ) {}

  static whole(duration: number, width: number): TimeWindow {
    return TimeWindow.fit(0, Math.max(duration, 1), width, duration, 0.01);
  }

  /** A window that shows [from, to) with `margin` (share of the span) on both sides. */
  static fit(from: number, to: number, width: number, duration: number, margin = 0): TimeWindow {
    const span = Math.max(to - from, 1);
    const padded = span * (1 + 2 * margin);
    return new TimeWindow(from - span * margin, padded / Math.max(width, 1), width, duration).clamped();
  }

  get end(): number {
    return this.start + this.width * this.nsPerPx;
  }

  x(ns: number): number {
    return (ns - this.start) / this.nsPerPx;
  }

  ns(x: number): number {
    return this.start + x * this.nsPerPx;
  }

  pan(px: number): TimeWindow {
    return new TimeWindow(this.start + px * this.nsPerPx, this.nsPerPx, this.width, this.duration).clamped();
  }

  /** Zooms by `factor` (below 1: closer) keeping the instant under `x` where it is. */
  zoom(factor: number, x: number): TimeWindow {
    const nsPerPx = Math.min(this.maxNsPerPx(), Math.max(MIN_NS_PER_PX, this.nsPerPx * factor));
    return new TimeWindow(this.ns(x) - x * nsPerPx, nsPerPx, this.width, this.duration).clamped();
  }

  resize(width: number): TimeWindow {
    if (width === this.width || width <= 0) return this;
    return TimeWindow.fit(this.start, this.end, width, this.duration);
  }

  private maxNsPerPx(): number {
    return (Math.max(this.duration, 1) * 1.1) / Math.max(this.width, 1);
  }

  /** The trace never leaves the screen: at most half a window of empty time at either end. */
  private clamped(): TimeWindow {
    const nsPerPx = Math.min(this.maxNsPerPx(), Math.max(MIN_NS_PER_PX, this.nsPerPx));
    const span = nsPerPx * this.width;
    const start = Math.min(Math.max(this.start, -span / 2), Math.max(this.duration - span / 2, -span / 2));
    if (span >= this.duration) {
      const slack = span - this.duration;
      return new TimeWindow(Math.min(Math.max(start, -slack), 0), nsPerPx, this.width, this.duration);
    }
    return new TimeWindow(start, nsPerPx, this.width, this.duration);
  }
}

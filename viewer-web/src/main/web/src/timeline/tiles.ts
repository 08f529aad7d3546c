// The cache between the server and the screen.
//
// Time is cut into tiles of TILE_PX buckets; at level L a bucket is 2^L ns wide. A window is drawn
// from the level whose buckets are at most a pixel wide. A tile whose spans are all exact stands for
// every tile inside it at deeper levels, so zooming in asks for nothing new once the spans have
// become wider than a pixel.
//
// What is asked for is what the last frame missed: a window that flies by leaves no requests behind.

export const TILE_PX = 1024;
const MAX_LEVEL = 46;

/** Spans of one lane in one tile, in time order. Arrays may be views into a shared buffer. */
export interface Tile {
  from: number;
  to: number;
  start: Float64Array;
  end: Float64Array;
  state: Uint8Array;
  busy: Uint8Array;
  count: Uint32Array;
  g: Float64Array;
  reason: Int32Array;
  exact: boolean;
  bytes: number;
}

/** The part of a tile that is to be drawn: a coarse tile may stand in for a missing fine one. */
export interface Piece {
  tile: Tile;
  from: number;
  to: number;
}

export interface TileSource {
  (lanes: string[], from: number, to: number, px: number, signal: AbortSignal): Promise<Map<string, Tile>>;
}

export function levelFor(nsPerPx: number): number {
  return Math.max(0, Math.min(MAX_LEVEL, Math.floor(Math.log2(Math.max(nsPerPx, 1)) + 1e-9)));
}

export function tileSpan(level: number): number {
  return TILE_PX * 2 ** level;
}

/** Index of the first span that ends after `t`; the ends rise. */
export function firstAfter(ends: Float64Array, t: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (ends[mid] > t) high = mid;
    else low = mid + 1;
  }
  return low;
}

/** Exact spans of the pieces between two times; a span cut by the edge of a tile is one again. */
export function exactRuns(pieces: Piece[], from: number, to: number): { tile: Tile; i: number; start: number; end: number }[] {
  const runs: { tile: Tile; i: number; start: number; end: number }[] = [];
  for (const piece of pieces) {
    const { tile } = piece;
    for (let i = firstAfter(tile.end, Math.max(from, piece.from)); i < tile.start.length; i++) {
      const start = Math.max(tile.start[i], piece.from);
      if (start >= to || start >= piece.to) break;
      if (tile.count[i] !== 1) continue;
      const end = Math.min(tile.end[i], piece.to);
      const last = runs[runs.length - 1];
      const continues = last && start === piece.from && last.end === start && last.tile.g[last.i] === tile.g[i] && last.tile.state[last.i] === tile.state[i] && last.tile.reason[last.i] === tile.reason[i];
      if (continues) last.end = end;
      else runs.push({ tile, i, start, end });
    }
  }
  return runs;
}

interface Want {
  level: number;
  index: number;
  lanes: Set<string>;
}

export class TileCache {
  private readonly tiles = new Map<string, Tile>();
  private readonly inFlight = new Set<string>();
  private wants = new Map<string, Want>();
  private bytes = 0;
  private requests = 0;
  private failedUntil = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private abort = new AbortController();

  constructor(
    private readonly source: TileSource,
    private readonly onArrival: (lanes: Iterable<string>) => void,
    private readonly maxBytes = 64 << 20,
    private readonly maxRequests = 3,
    // Few, so that no answer takes long: a request with fewer lanes shows its lanes earlier.
    private readonly lanesPerRequest = 16,
  ) {}

  /** Starts a frame: what earlier frames wanted and did not get is forgotten. */
  beginFrame() {
    this.wants.clear();
  }

  /**
   * The best tiles at hand for a lane and a window, in time order and without overlaps; what is
   * missing at the wanted level is noted for the next `flush`.
   */
  lookup(lane: string, from: number, to: number, nsPerPx: number, limit: number): { pieces: Piece[]; complete: boolean } {
    const level = levelFor(nsPerPx);
    const span = tileSpan(level);
    const pieces: Piece[] = [];
    let complete = true;
    const first = Math.max(0, Math.floor(from / span));
    const last = Math.floor((Math.min(to, limit) - 1) / span);
    for (let index = first; index <= last; index++) {
      const own = this.get(key(lane, level, index));
      if (own) {
        pieces.push({ tile: own, from: own.from, to: own.to });
        continue;
      }
      const coarser = this.ancestor(lane, level, index);
      if (coarser) pieces.push({ tile: coarser, from: index * span, to: (index + 1) * span });
      if (!coarser?.exact) {
        complete = false;
        this.want(lane, level, index);
        if (!coarser) pieces.push(...this.children(lane, level, index));
      }
    }
    return { pieces, complete };
  }

  /** Sends what the frame missed, nearest level first, a few requests at a time. */
  flush() {
    if (performance.now() < this.failedUntil) return;
    for (const want of this.wants.values()) {
      if (this.requests >= this.maxRequests) return;
      const lanes = [...want.lanes].filter((lane) => !this.inFlight.has(key(lane, want.level, want.index))).slice(0, this.lanesPerRequest);
      if (lanes.length) void this.fetch(want.level, want.index, lanes);
    }
  }

  get pending(): boolean {
    return this.requests > 0 || this.wants.size > 0;
  }

  /** How much is held, for tests and for the curious. */
  get size(): { tiles: number; bytes: number } {
    return { tiles: this.tiles.size, bytes: this.bytes };
  }

  clear() {
    this.abort.abort();
    this.abort = new AbortController();
    this.tiles.clear();
    this.bytes = 0;
  }

  private async fetch(level: number, index: number, lanes: string[]) {
    this.requests++;
    const asked = lanes.map((lane) => key(lane, level, index));
    for (const k of asked) this.inFlight.add(k);
    const span = tileSpan(level);
    try {
      const answer = await this.source(lanes, index * span, (index + 1) * span, TILE_PX, this.abort.signal);
      for (const [lane, tile] of answer) this.put(key(lane, level, index), tile);
      this.failedUntil = 0;
    } catch (e) {
      if ((e as Error).name !== 'AbortError') {
        this.failedUntil = performance.now() + 1000;
        clearTimeout(this.retryTimer);
        this.retryTimer = setTimeout(() => this.onArrival([]), 1100);
      }
      lanes = [];
    } finally {
      this.requests--;
      for (const k of asked) this.inFlight.delete(k);
    }
    if (lanes.length) this.onArrival(lanes);
  }

  private want(lane: string, level: number, index: number) {
    const k = `${level}/${index}`;
    let want = this.wants.get(k);
    if (!want) this.wants.set(k, (want = { level, index, lanes: new Set() }));
    want.lanes.add(lane);
  }

  private get(k: string): Tile | undefined {
    const tile = this.tiles.get(k);
    if (tile) {
      // Map keeps insertion order: taking out and putting back makes it the youngest.
      this.tiles.delete(k);
      this.tiles.set(k, tile);
    }
    return tile;
  }

  private put(k: string, tile: Tile) {
    const old = this.tiles.get(k);
    if (old) this.bytes -= old.bytes;
    this.tiles.set(k, tile);
    this.bytes += tile.bytes;
    for (const [oldest, { bytes }] of this.tiles) {
      if (this.bytes <= this.maxBytes) break;
      this.tiles.delete(oldest);
      this.bytes -= bytes;
    }
  }

  private ancestor(lane: string, level: number, index: number): Tile | undefined {
    for (let l = level + 1; l <= MAX_LEVEL; l++) {
      index = Math.floor(index / 2);
      const tile = this.get(key(lane, l, index));
      if (tile) return tile;
      if (index === 0 && l > level + 24) return undefined;
    }
    return undefined;
  }

  /** Zooming out: the two halves from the level below, if they are there. */
  private children(lane: string, level: number, index: number): Piece[] {
    if (level === 0) return [];
    return [index * 2, index * 2 + 1]
      .map((i) => this.tiles.get(key(lane, level - 1, i)))
      .filter((tile) => tile !== undefined)
      .map((tile) => ({ tile, from: tile.from, to: tile.to }));
  }
}

function key(lane: string, level: number, index: number): string {
  return `${level}/${index}/${lane}`;
}

import { api } from '../api';
import type { Tile, TileSource } from './tiles';

/** Bytes a span takes in a tile, and a tile takes beside its spans. */
const SPAN_BYTES = 34;
const TILE_BYTES = 200;

/** Tiles from the server; the texts of the reasons they name go into `reasons`. */
export function tileSource(reasons: Map<number, string>): TileSource {
  return async (lanes, from, to, px, signal) => {
    const c = await api.tiles(lanes, from, to, px, signal);
    for (const [id, text] of Object.entries(c.meta.strings as Record<string, string>)) reasons.set(Number(id), text);
    const found = new Map<string, Tile>();
    lanes.forEach((lane, n) => {
      const [a, b] = [c.offset[n], c.offset[n + 1]];
      // Copies, so that a tile in the cache does not keep the whole answer alive.
      const count: Uint32Array = c.count.slice(a, b);
      found.set(lane, {
        from,
        to,
        start: c.start.slice(a, b),
        end: c.end.slice(a, b),
        state: c.state.slice(a, b),
        busy: c.busy.slice(a, b),
        count,
        g: c.g.slice(a, b),
        reason: c.reason.slice(a, b),
        exact: count.every((spans) => spans === 1),
        bytes: TILE_BYTES + (b - a) * SPAN_BYTES,
      });
    });
    return found;
  };
}

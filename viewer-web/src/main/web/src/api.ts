import { decodeColumns, type Columns } from './columns';
import type * as A from './answers';

/** Told when the server stops or starts answering again. */
export const connection = new (class extends EventTarget {
  lost = false;
  set(lost: boolean) {
    if (this.lost === lost) return;
    this.lost = lost;
    this.dispatchEvent(new Event('change'));
  }
})();

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Asks until there is an answer: for what the page cannot do without. A question that the server
 * refuses is not asked again.
 */
export async function insist<T>(ask: () => Promise<T>, onTrouble: (e: Error) => void = () => undefined): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (e) {
      if (isRefusal(e)) throw e;
      onTrouble(e as Error);
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

/** Whether the server understood and said no, rather than being away or not ready. */
export function isRefusal(e: unknown): e is ApiError {
  return e instanceof ApiError && e.status < 500;
}

/** What to tell people when a question has failed; it is asked again once the server is back. */
export function whyNot(e: unknown): string {
  return e instanceof ApiError ? e.message : 'The server does not answer. This is asked again when it does.';
}

type Params = Record<string, string | number | boolean | null | undefined>;

export function address(path: string, params: Params = {}): string {
  const q = Object.entries(params)
    .filter(([, v]) => v !== undefined && v !== null && v !== '' && v !== false)
    .map(([k, v]) => `${k}=${encodeURIComponent(typeof v === 'number' ? String(Math.round(v)) : String(v))}`);
  return `api/v1/${path}${q.length ? `?${q.join('&')}` : ''}`;
}

async function request(path: string, params: Params, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address(path, params), { signal });
  } catch (e) {
    if ((e as Error).name !== 'AbortError') connection.set(true);
    throw e;
  }
  // A server that was started anew answers, but not about the trace until it has read it.
  connection.set(response.status === 503);
  if (!response.ok) {
    const body = await response.json().catch(() => null);
    throw new ApiError(response.status, body?.error ?? body?.title ?? `${response.status} ${response.statusText}`);
  }
  return response;
}

async function json<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  return (await request(path, params, signal)).json() as Promise<T>;
}

async function columns(path: string, params: Params = {}, signal?: AbortSignal): Promise<Columns> {
  return decodeColumns(await (await request(path, params, signal)).arrayBuffer());
}

type Window = { from?: number; to?: number };
export type Filter = Record<string, string>;

export const api = {
  /** Says nothing about the connection: whoever asks wants to know whether the trace is ready. */
  status: async () => (await fetch(address('status'))).json() as Promise<A.Status>,
  info: () => json<A.Info>('info'),
  lanes: (kind: string) => json<A.Lane[]>('lanes', { kind }),
  goroutineLanes: (filter: Filter, signal?: AbortSignal) => columns('lanes/goroutines', filter, signal),
  tiles: (lanes: string[], from: number, to: number, px: number, signal?: AbortSignal) => columns('tiles', { lanes: lanes.join(','), from, to, px }, signal),
  counters: (names: string[], from: number, to: number, px: number, signal?: AbortSignal) => columns('counters', { names: names.join(','), from, to, px }, signal),
  points: (kinds: string[], from: number, to: number, px: number, limit: number, signal?: AbortSignal) => columns('points', { kinds: kinds.join(','), from, to, px, limit }, signal),
  heatmap: (columnCount: number) => columns('heatmap', { columns: columnCount }),
  span: (lane: string, at: number) => json<A.SpanDetail | null>('span', { lane, at }),
  arrows: (from: number, to: number, lane: string | null, side: 'BOTH' | 'FROM' | 'TO', kinds: string, limit: number) => json<A.ArrowPage>('arrows', { from, to, lane, side, kinds, limit }),
  /** Single point events; none of them when there are more than `limit`. */
  pointList: async (kinds: string[], from: number, to: number, limit: number): Promise<{ total: number; events: A.PointEvent[] }> => {
    const { meta } = await columns('points', { kinds: kinds.join(','), from, to, px: 1, limit });
    return { total: meta.total, events: meta.exact };
  },
  logs: (from: number, to: number, limit: number) => json<{ total: number; truncated: boolean; logs: A.LogMark[] }>('logs', { from, to, limit }),
  ranges: (w: Window, params: Params, signal?: AbortSignal) => json<A.RangePage>('ranges', { ...w, ...params }, signal),
  select: (from: number, to: number, filter: Filter, signal?: AbortSignal) => json<A.Selection>('select', { ...filter, from, to }, signal),
  search: (q: string, limit: number, signal?: AbortSignal) => json<A.Hit[]>('search', { q, limit }, signal),
  stats: (w: Window, signal?: AbortSignal) => json<A.Stats>('stats', w, signal),
  findings: () => json<A.Findings>('findings'),
  goroutines: (filter: Filter, signal?: AbortSignal) => json<A.GoroutineReport>('goroutines', filter, signal),
  goroutineList: (filter: Filter, signal?: AbortSignal) => json<A.GoroutineList>('goroutines/list', filter, signal),
  goroutine: (id: number, w: Window, signal?: AbortSignal) => json<A.GoroutineDetail>(`goroutines/${id}`, w, signal),
  scheduler: (w: Window, buckets: number, signal?: AbortSignal) => json<A.Scheduler>('scheduler', { ...w, buckets }, signal),
  profile: (type: string, params: Params, signal?: AbortSignal) => json<A.Profile>('profile', { type, ...params }, signal),
  tasks: (params: Params, signal?: AbortSignal) => json<A.TaskReport>('tasks', params, signal),
  regions: (params: Params, signal?: AbortSignal) => json<A.RegionReport>('regions', params, signal),
  mmu: (params: Params, signal?: AbortSignal) => json<A.Mmu>('mmu', params, signal),
  schedtrace: (params: Params, signal?: AbortSignal) => json<A.SchedTrace>('schedtrace', params, signal),
  events: (params: Params, signal?: AbortSignal) => json<A.EventPage>('events', params, signal),
};

// Arrows and log marks: of the selected span always, of the whole window when they are few enough.

import { api } from '../api';
import type { Arrow, LogMark, SpanDetail } from '../answers';
import type { TimeWindow } from './window';

/** All arrows of the window are drawn when there are no more than this. */
const AT_ONCE = 160;
const LOGS_AT_ONCE = 400;
/** Of one kind to and from the selected span. */
const OF_SPAN = 200;

export class Arrows {
  ofWindow: Arrow[] = [];
  ofSpan: Arrow[] = [];
  logs: LogMark[] = [];
  /** Questions under way. */
  loading = 0;
  private key = '';
  private span: SpanDetail | null = null;
  /** Whether the arrows of the selected span came. */
  complete = true;

  constructor(
    private readonly onArrival: () => void,
    private readonly hasLogs: () => boolean,
  ) {}

  async loadWindow({ start, end }: TimeWindow) {
    const key = `${Math.round(start)}-${Math.round(end)}`;
    if (key === this.key) return;
    this.key = key;
    const [from, to] = [Math.max(0, start), Math.max(1, end)];
    this.loading++;
    const [page, logs] = await Promise.all([api.arrows(from, to, null, 'BOTH', '', AT_ONCE).catch(() => null), this.hasLogs() ? api.logs(from, to, LOGS_AT_ONCE).catch(() => null) : null]);
    this.loading--;
    if (this.key !== key) return;
    if (!page) this.key = '';
    this.ofWindow = page && !page.truncated ? page.arrows : [];
    this.logs = logs?.logs ?? [];
    this.onArrival();
  }

  async loadSpan(detail: SpanDetail | null) {
    this.span = detail;
    this.ofSpan = [];
    if (!detail || detail.lane.startsWith('t:')) return;
    const { g, lane, start, end } = detail;
    const none = Promise.resolve(null);
    // A wake, a creation or a steal reaches a span at its start; what the span did lies inside it. Hand-offs
    // are not between goroutines but between threads.
    this.loading++;
    const answers = await Promise.all([
      g >= 0 ? api.arrows(start - 1, end + 1, `g:${g}`, 'TO', '', OF_SPAN) : none,
      g >= 0 ? api.arrows(start, end + 1, `g:${g}`, 'FROM', '', OF_SPAN) : api.arrows(start, end + 1, lane, 'BOTH', '', OF_SPAN),
      g >= 0 && !lane.startsWith('g:') ? api.arrows(start - 1, end + 1, lane, 'BOTH', 'HANDOFF', OF_SPAN) : none,
    ]).catch(() => null);
    this.loading--;
    if (this.span !== detail) return;
    this.complete = answers !== null;
    const seen = new Set<string>();
    this.ofSpan = (answers ?? [])
      .flatMap((page) => page?.arrows ?? [])
      .filter((a) => {
        const key = JSON.stringify(a);
        return !seen.has(key) && seen.add(key);
      });
    this.onArrival();
  }
}

// Arrows and log marks: of the selected span always, of the whole window when they are few enough.

import { api } from '../api';
import type { Arrow, LogMark, SpanDetail } from '../answers';
import type { TimeWindow } from './window';

/** All arrows of the window are drawn when there are no more than this. */
const AT_ONCE = 160;
const LOGS_AT_ONCE = 400;

export class Arrows {
  ofWindow: Arrow[] = [];
  ofSpan: Arrow[] = [];
  logs: LogMark[] = [];
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
    const [page, logs] = await Promise.all([api.arrows(from, to, null, '', AT_ONCE).catch(() => null), this.hasLogs() ? api.logs(from, to, LOGS_AT_ONCE).catch(() => null) : null]);
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
    const lane = detail.g >= 0 ? `g:${detail.g}` : detail.lane;
    // A wake or a creation reaches a span at its start; what the span did lies inside it.
    const page = await api.arrows(detail.start - 1, detail.end + 1, lane, '', 200).catch(() => null);
    if (this.span !== detail) return;
    this.complete = page !== null;
    if (!page) return;
    const reaches = (a: Arrow) => a.toG === detail.g && a.toNs >= detail.start - 1 && a.toNs <= detail.end;
    const leaves = (a: Arrow) => a.fromG === detail.g && a.fromNs >= detail.start && a.fromNs <= detail.end;
    this.ofSpan = page.arrows.filter((a) => reaches(a) || leaves(a));
    this.onArrival();
  }
}

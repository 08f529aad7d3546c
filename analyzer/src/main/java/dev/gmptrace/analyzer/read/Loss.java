package dev.gmptrace.analyzer.read;

/**
 * Events that were recorded nowhere. The recorder tells it behind the gap, with whatever it writes
 * next; the ordering delivers it where the gap begins, because that is from when on nothing is
 * known.
 *
 * @param from when the first of them was dropped
 * @param to when the last one was
 * @param count how many; 0 when this only says that a thread's were among them
 * @param proc whose buffer had no room, or {@link TraceEvent#NONE}
 * @param thread whose events they were, or {@link TraceEvent#NONE} when only the buffer is known
 * @param offset where the file says so
 */
record Loss(long from, long to, long count, long proc, long thread, long offset) {}

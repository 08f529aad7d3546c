package dev.gmptrace.analyzer.read;

/**
 * One thread's events of a generation, found but not yet opened: finding runs ahead on a thread of
 * its own, and only the ordering may touch the thread's state.
 */
interface StreamSource {
  EventStream open(OrderContext ctx);
}

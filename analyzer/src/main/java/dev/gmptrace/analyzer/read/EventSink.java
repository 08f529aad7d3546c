package dev.gmptrace.analyzer.read;

/** Takes the events of a trace, one after the other, in order. */
@FunctionalInterface
public interface EventSink {
  /**
   * Takes the next event. The object is the same at every call: copy out what is to be kept.
   *
   * <p>Everything is delivered on the thread that called {@link TraceReader#read}. An exception
   * thrown here ends the reading and comes out of that call.
   */
  void event(TraceEvent event);
}

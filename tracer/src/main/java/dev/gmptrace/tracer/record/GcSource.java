package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import java.util.List;

/** Somebody who tells of the JVM's garbage collections, some time after they happened. */
interface GcSource {
  /** Something that happened, in ticks of the events' clock. */
  record Moment(long time, EventType type, long number, String name, String cause) {
    Moment at(long otherTime) {
      return new Moment(otherTime, type, number, name, cause);
    }
  }

  /** Gets all moments of one collection or pause at once, so that none is half told. */
  interface Listener {
    void told(List<Moment> moments);
  }

  /** Starts to listen. It takes the JVM a while the first time. */
  void open();

  /** How often the source has said that all before is told; 0 when it does not say. */
  int flushes();

  /** Whether nothing more will be told of what happened in a generation that has ended. */
  boolean knowsAllOf(Generation gen);

  /** Stops listening; all that has happened so far has been told when it returns. */
  void stop();
}

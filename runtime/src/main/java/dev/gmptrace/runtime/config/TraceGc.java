package dev.gmptrace.runtime.config;

/** Whether a trace has the JVM's garbage collections, and who tells of them. */
public enum TraceGc {
  /** There are none. */
  OFF,

  /** The JVM's management: to the millisecond, at no cost. */
  NOTIFICATIONS,

  /** The JVM's flight recorder: exact, for some 60 ns at every switch of goroutines. */
  JFR
}

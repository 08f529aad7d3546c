package dev.gmptrace.analyzer.index;

/** What a list of goroutines is sorted by. */
public enum GoroutineOrder {
  ID,
  START,
  LIFE,
  RUNNING,
  RUNNABLE,
  WAITING,
  SYSCALL,
  NAME
}

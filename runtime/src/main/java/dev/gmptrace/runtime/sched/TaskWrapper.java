package dev.gmptrace.runtime.sched;

/** A task of the runtime around one of the program: the goroutine is named after the inner one. */
public interface TaskWrapper extends Runnable {
  /** What the program gave us to run. */
  Object fn();
}

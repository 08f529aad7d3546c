package dev.gmptrace.analyzer.read;

import org.jspecify.annotations.Nullable;

/** What the ordering knows of a thread: the P and the G it holds at this point of the trace. */
final class ThreadState {
  final long id;
  long p = TraceEvent.NONE;
  long g = TraceEvent.NONE;

  /** The state of {@link #p}; null when there is none, or none is known. */
  @Nullable ProcRecord proc;

  /** The state of {@link #g}; may be dead, then it must be looked up again. */
  @Nullable GoRecord goroutine;

  /** Whether any event or status has told of this thread yet. */
  boolean seen;

  /** Stop-the-world ranges of a thread without a goroutine (gmp). */
  final ActiveRanges ranges = new ActiveRanges();

  ThreadState(long id) {
    this.id = id;
  }

  void bindP(ProcRecord state) {
    p = state.id;
    proc = state;
  }

  void dropP() {
    p = TraceEvent.NONE;
    proc = null;
  }

  void bindG(GoRecord state) {
    g = state.id;
    goroutine = state;
  }

  void dropG() {
    g = TraceEvent.NONE;
    goroutine = null;
  }
}

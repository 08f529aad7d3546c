package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.read.GoState;

/** What the contract's account knows of a goroutine, a processor, a thread. */
final class Actors {
  /** What is not known since a gap; a real id is not below -1, which stands for nobody. */
  static final long UNKNOWN = -2;

  private Actors() {}

  static final class G {
    GoState state = GoState.UNDETERMINED;
    long since;
    long thread = -1;
    int life;

    /** The generation of its latest record. */
    int seen;
  }

  static final class P {
    boolean running;
    long thread;
    long idleSince = -1;

    P(long thread) {
      this.thread = thread;
    }
  }

  static final class M {
    long proc;
    long goroutine;
    boolean spinning;

    M(long nobody) {
      this.proc = nobody;
      this.goroutine = nobody;
    }
  }
}

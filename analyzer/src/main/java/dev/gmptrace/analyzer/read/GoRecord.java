package dev.gmptrace.analyzer.read;

import java.util.Arrays;

/** What the ordering knows of a goroutine. */
final class GoRecord {
  static final int RUNNABLE = 1;
  static final int RUNNING = 2;
  static final int SYSCALL = 3;
  static final int WAITING = 4;

  private static final String[] NAMES = {"Bad", "Runnable", "Running", "Syscall", "Waiting"};
  private static final long[] EMPTY = {};

  final long id;
  int status;
  long seq;
  long seqGeneration;

  /** False once it has ended; its id may then come back as another goroutine. */
  boolean live = true;

  final ActiveRanges ranges = new ActiveRanges();

  /** Open user regions, outermost first: pairs of task and name. */
  private long[] regions = EMPTY;

  private int regionCount;

  GoRecord(long id, int status, long generation) {
    this.id = id;
    this.status = status;
    this.seqGeneration = generation;
  }

  boolean precedes(long generation, long nextSeq) {
    return seqGeneration == generation && seq + 1 == nextSeq;
  }

  /** Counts one event at a distance. */
  void advance(long generation) {
    if (seqGeneration != generation) {
      restart(generation);
    }
    seq++;
  }

  /** Makes that sequence number the next one. */
  void expect(long generation, long nextSeq) {
    seqGeneration = generation;
    seq = Math.max(0, nextSeq - 1);
  }

  void restart(long generation) {
    seqGeneration = generation;
    seq = 0;
  }

  void beginRegion(long task, int name) {
    if (regions.length < 2 * regionCount + 2) {
      regions = Arrays.copyOf(regions, Math.max(4, regions.length * 2));
    }
    regions[2 * regionCount] = task;
    regions[2 * regionCount + 1] = name;
    regionCount++;
  }

  /**
   * Ends the innermost region; false if that is another one. A region that began before the trace
   * is not known, and ends silently.
   */
  boolean endRegion(long task, int name) {
    if (regionCount == 0) {
      return true;
    }
    int last = 2 * (regionCount - 1);
    if (regions[last] != task || regions[last + 1] != name) {
      return false;
    }
    regionCount--;
    return true;
  }

  /** Which regions are open is not known any more; those that end from now on do so silently. */
  void forgetRegions() {
    regionCount = 0;
  }

  static String name(int status) {
    return NAMES[status];
  }

  static int publicState(int status) {
    return switch (status) {
      case RUNNABLE -> GoState.RUNNABLE.code();
      case RUNNING -> GoState.RUNNING.code();
      case SYSCALL -> GoState.SYSCALL.code();
      case WAITING -> GoState.WAITING.code();
      default -> GoState.UNDETERMINED.code();
    };
  }
}

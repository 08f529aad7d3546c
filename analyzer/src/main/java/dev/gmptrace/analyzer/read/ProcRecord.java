package dev.gmptrace.analyzer.read;

/**
 * What the ordering knows of a P.
 *
 * <pre>
 *             ProcStart                  GoSyscallBegin
 *     IDLE --------------> RUNNING ----------------------> SYSCALL --- GoDestroySyscall --> ABANDONED
 *       ^                   |   ^                           | |  |                              |
 *       |      ProcStop     |   |       GoSyscallEnd        | |  |                              |
 *       +-------------------+   +---------------------------+ |  |                              |
 *       +------------------------- ProcStop ------------------+  |                              |
 *       +------------------------- ProcSteal --------------------+                              |
 *       +------------------------- ProcSteal ---------------------------------------------------+
 * </pre>
 */
final class ProcRecord {
  static final int RUNNING = 1;
  static final int IDLE = 2;
  static final int SYSCALL = 3;
  static final int ABANDONED = 4;

  private static final String[] NAMES = {
    "Bad", "Running", "Idle", "Syscall", "SyscallAbandoned",
  };

  final long id;
  int status;
  long seq;
  long seqGeneration;
  final ActiveRanges ranges = new ActiveRanges();

  ProcRecord(long id, int status, long generation) {
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

  static String name(int status) {
    return NAMES[status];
  }

  /** The state in the public vocabulary: a P in a system call still counts as running. */
  static int publicState(int status) {
    return switch (status) {
      case RUNNING, SYSCALL -> ProcState.RUNNING.code();
      case IDLE, ABANDONED -> ProcState.IDLE.code();
      default -> ProcState.UNDETERMINED.code();
    };
  }
}

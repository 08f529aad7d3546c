package dev.gmptrace.analyzer.model;

/**
 * References into the three logs in order of time. Each log's indexes rise, but they are far from
 * each other's, so a block keeps one base for each log and packs the small distances:
 *
 * <pre>
 *   [ index - base of that log in this block | log, 2 bits ]
 * </pre>
 */
final class LaneColumn {
  private static final int LOGS = 3;
  private static final int LOG_BITS = 2;
  private static final int LOG_MASK = (1 << LOG_BITS) - 1;

  private final PackedColumn references = new PackedColumn();

  /** Of block b and log l at {@code b * LOGS + l}. */
  private final IntColumn bases = new IntColumn();

  int size() {
    return references.size();
  }

  /**
   * Appends a reference; its index must not be below that of an earlier reference to that log.
   *
   * @param log at most 2
   */
  void add(int log, int index) {
    int at = at(references.size(), log);
    while (bases.size() <= at) {
      bases.add(-1);
    }
    if (bases.get(at) < 0) {
      bases.set(at, index);
    }
    references.add((long) (index - bases.get(at)) << LOG_BITS | log);
  }

  /** Reference {@code k}; {@link #log} and {@link #index} take it apart. */
  long get(int k) {
    long r = references.get(k);
    int log = (int) r & LOG_MASK;
    return ((r >> LOG_BITS) + bases.get(at(k, log))) << LOG_BITS | log;
  }

  /** Which log a reference points into. */
  static int log(long reference) {
    return (int) reference & LOG_MASK;
  }

  /** Where in that log. */
  static int index(long reference) {
    return (int) (reference >> LOG_BITS);
  }

  private static int at(int k, int log) {
    return k / PackedColumn.BLOCK * LOGS + log;
  }

  long bytes() {
    return references.bytes() + bases.bytes();
  }
}

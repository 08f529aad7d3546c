package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.SpanState;
import java.util.stream.IntStream;

/**
 * What makes a zoomed-out answer cheap: for every block of {@value #BLOCK} spans of a lane
 *
 * <ul>
 *   <li>how long the lane had been in each state before the block: a running sum, so the time per
 *       state of any stretch is the difference of two sums plus at most two blocks walked, at every
 *       zoom alike;
 *   <li>the block's longest named span, and the longest of every {@value #BLOCK} blocks, so a piece
 *       that merges thousands of spans can be called after its biggest.
 * </ul>
 *
 * Running sums rather than a tree of partial sums: a tree answers a range in its height times the
 * fan-out, a difference in two look-ups, and both cost the same memory. A lane with less than a
 * block has no summary; walking it is as cheap.
 */
final class Summaries {
  static final int BLOCK = 32;
  private static final int SHIFT = 5;

  /** State codes that occur at all, by the column their sums are in. */
  private int[] stateOf = new int[0];

  /** The column of a state code. */
  private final int[] columnOf = new int[SpanState.COUNT];

  private int columns;

  private final Timeline timeline;
  private int[] firstBlock = new int[0];
  private long[] sums = new long[0];
  private int[] longest = new int[0];
  private int[] firstGroup = new int[0];
  private int[] longestOfGroup = new int[0];

  Summaries(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Builds the summaries; once, before the first question. */
  void build() {
    int lanes = timeline.lanes();
    firstBlock = new int[lanes + 1];
    firstGroup = new int[lanes + 1];
    for (int lane = 0; lane < lanes; lane++) {
      int blocks = timeline.size(lane) >>> SHIFT;
      firstBlock[lane + 1] = firstBlock[lane] + blocks;
      firstGroup[lane + 1] = firstGroup[lane] + (blocks >>> SHIFT);
    }
    findStates();
    sums = new long[firstBlock[lanes] * columns];
    longest = new int[firstBlock[lanes]];
    longestOfGroup = new int[firstGroup[lanes]];
    for (int lane = 0; lane < lanes; lane++) {
      if (firstBlock[lane + 1] > firstBlock[lane]) {
        build(lane);
      }
    }
  }

  /** Most of the sixteen states cannot occur in a kind of lane; sums for those would be waste. */
  private void findStates() {
    int occurs = timeline.states();
    stateOf = IntStream.range(0, SpanState.COUNT).filter(c -> ((occurs >>> c) & 1) != 0).toArray();
    columns = stateOf.length;
    for (int c = 0; c < columns; c++) {
      columnOf[stateOf[c]] = c;
    }
  }

  /**
   * Block b's sums are those of everything before the END of block b: an empty sum needs no room.
   */
  private void build(int lane) {
    int blocks = firstBlock[lane + 1] - firstBlock[lane];
    long[] running = new long[columns];
    long start = timeline.start(lane, 0);
    int groupBest = -1;
    long groupLength = -1;
    for (int b = 0; b < blocks; b++) {
      int best = -1;
      long bestLength = -1;
      for (int k = b << SHIFT; k < (b + 1) << SHIFT; k++) {
        long end = timeline.end(lane, k);
        running[columnOf[timeline.state(lane, k)]] += end - start;
        if (end - start > bestLength && timeline.named(lane, k)) {
          best = k;
          bestLength = end - start;
        }
        start = end;
      }
      System.arraycopy(running, 0, sums, (firstBlock[lane] + b) * columns, columns);
      longest[firstBlock[lane] + b] = best;
      if (bestLength > groupLength) {
        groupBest = best;
        groupLength = bestLength;
      }
      if (((b + 1) & (BLOCK - 1)) == 0) {
        longestOfGroup[firstGroup[lane] + (b >>> SHIFT)] = groupBest;
        groupBest = -1;
        groupLength = -1;
      }
    }
  }

  /** Adds the time per state of whole spans {@code [i, j)}. */
  void add(int lane, int i, int j, long[] into) {
    if (j - i <= BLOCK) {
      walk(lane, i, j, into);
      return;
    }
    int first = (i + BLOCK - 1) >>> SHIFT;
    int last = j >>> SHIFT;
    walk(lane, i, first << SHIFT, into);
    walk(lane, last << SHIFT, j, into);
    if (last > first) {
      int to = (firstBlock[lane] + last - 1) * columns;
      int from = first == 0 ? -1 : (firstBlock[lane] + first - 1) * columns;
      for (int c = 0; c < columns; c++) {
        into[stateOf[c]] += sums[to + c] - (from < 0 ? 0 : sums[from + c]);
      }
    }
  }

  private void walk(int lane, int i, int j, long[] into) {
    if (i >= j) {
      return;
    }
    long start = timeline.start(lane, i);
    for (int k = i; k < j; k++) {
      long end = timeline.end(lane, k);
      into[timeline.state(lane, k)] += end - start;
      start = end;
    }
  }

  /** The longest named span among {@code [i, j)}, or -1. */
  int longest(int lane, int i, int j) {
    int best = -1;
    long length = -1;
    int k = i;
    while (k < j) {
      int candidate;
      if ((k & (BLOCK * BLOCK - 1)) == 0 && k + BLOCK * BLOCK <= j) {
        candidate = longestOfGroup[firstGroup[lane] + (k >>> (2 * SHIFT))];
        k += BLOCK * BLOCK;
      } else if ((k & (BLOCK - 1)) == 0 && k + BLOCK <= j) {
        candidate = longest[firstBlock[lane] + (k >>> SHIFT)];
        k += BLOCK;
      } else {
        candidate = timeline.named(lane, k) ? k : -1;
        k++;
      }
      if (candidate >= 0) {
        long d = timeline.end(lane, candidate) - timeline.start(lane, candidate);
        if (d > length) {
          best = candidate;
          length = d;
        }
      }
    }
    return best;
  }

  /** Bytes held, for the memory report. */
  long bytes() {
    return sums.length * 8L
        + (longest.length + longestOfGroup.length + firstBlock.length + firstGroup.length) * 4L;
  }
}

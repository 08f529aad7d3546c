package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.PackedColumn;
import dev.gmptrace.analyzer.model.SpanState;
import java.util.Arrays;
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

  /** Neighbouring spans, at most a block, taken out of their columns at once. One thread's. */
  static final class Few {
    /** When each begins, and where the last one ends. */
    final long[] starts = new long[BLOCK + 1];

    final int[] states = new int[BLOCK + 1];

    void read(Timeline timeline, int lane, int i, int j) {
      int spans = timeline.size(lane);
      timeline.read(lane, i, Math.min(j + 1, spans) - i, starts, states);
      if (j == spans) {
        starts[j - i] = timeline.end(lane);
      }
    }

    /** The longest of the first {@code n} that may give a name, or -1. */
    int longest(Timeline timeline, int n) {
      int best = -1;
      long length = -1;
      for (int i = 0; i < n; i++) {
        long d = starts[i + 1] - starts[i];
        if (d > length && timeline.named(states[i])) {
          best = i;
          length = d;
        }
      }
      return best;
    }
  }

  private final Timeline timeline;
  private int[] firstBlock = new int[0];

  /** By column: running sums at the end of each block, lane after lane. */
  private PackedColumn[] sums = new PackedColumn[0];

  /** Per block, where in it the longest named span is, and how long; -1 when none is named. */
  private final PackedColumn longest = new PackedColumn();

  private final PackedColumn blockLength = new PackedColumn();

  private int[] firstGroup = new int[0];
  private int[] longestOfGroup = new int[0];
  private long[] groupLength = new long[0];

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
    sums = new PackedColumn[columns];
    Arrays.setAll(sums, c -> new PackedColumn());
    longestOfGroup = new int[firstGroup[lanes]];
    groupLength = new long[firstGroup[lanes]];
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
    Few few = new Few();
    int groupBest = -1;
    long longestSoFar = -1;
    for (int b = 0; b < blocks; b++) {
      int best = -1;
      long bestLength = -1;
      int first = b << SHIFT;
      few.read(timeline, lane, first, first + BLOCK);
      for (int i = 0; i < BLOCK; i++) {
        running[columnOf[few.states[i]]] += few.starts[i + 1] - few.starts[i];
      }
      int within = few.longest(timeline, BLOCK);
      if (within >= 0) {
        best = first + within;
        bestLength = few.starts[within + 1] - few.starts[within];
      }
      for (int c = 0; c < columns; c++) {
        sums[c].add(running[c]);
      }
      longest.add(best & (BLOCK - 1));
      blockLength.add(bestLength);
      if (bestLength > longestSoFar) {
        groupBest = best;
        longestSoFar = bestLength;
      }
      if (((b + 1) & (BLOCK - 1)) == 0) {
        longestOfGroup[firstGroup[lane] + (b >>> SHIFT)] = groupBest;
        groupLength[firstGroup[lane] + (b >>> SHIFT)] = longestSoFar;
        groupBest = -1;
        longestSoFar = -1;
      }
    }
  }

  /** Adds the time per state of whole spans {@code [i, j)}. */
  void add(int lane, int i, int j, long[] into, Few few) {
    if (j - i <= BLOCK) {
      walk(lane, i, j, into, few);
      return;
    }
    int first = (i + BLOCK - 1) >>> SHIFT;
    int last = j >>> SHIFT;
    walk(lane, i, first << SHIFT, into, few);
    walk(lane, last << SHIFT, j, into, few);
    if (last > first) {
      int to = firstBlock[lane] + last - 1;
      int from = firstBlock[lane] + first - 1;
      for (int c = 0; c < columns; c++) {
        into[stateOf[c]] += sums[c].get(to) - (first == 0 ? 0 : sums[c].get(from));
      }
    }
  }

  private void walk(int lane, int i, int j, long[] into, Few few) {
    few.read(timeline, lane, i, j);
    for (int k = 0; k < j - i; k++) {
      into[few.states[k]] += few.starts[k + 1] - few.starts[k];
    }
  }

  /** The longest named span among {@code [i, j)}, or -1. */
  int longest(int lane, int i, int j, Few few) {
    int best = -1;
    long length = -1;
    int k = i;
    while (k < j) {
      if ((k & (BLOCK * BLOCK - 1)) == 0 && k + BLOCK * BLOCK <= j) {
        int group = firstGroup[lane] + (k >>> (2 * SHIFT));
        if (groupLength[group] > length) {
          length = groupLength[group];
          best = longestOfGroup[group];
        }
        k += BLOCK * BLOCK;
      } else if ((k & (BLOCK - 1)) == 0 && k + BLOCK <= j) {
        int block = firstBlock[lane] + (k >>> SHIFT);
        long d = blockLength.get(block);
        if (d > length) {
          length = d;
          best = k + longest.getInt(block);
        }
        k += BLOCK;
      } else {
        int stop = Math.min(j, (k | (BLOCK - 1)) + 1);
        few.read(timeline, lane, k, stop);
        int within = few.longest(timeline, stop - k);
        if (within >= 0 && few.starts[within + 1] - few.starts[within] > length) {
          length = few.starts[within + 1] - few.starts[within];
          best = k + within;
        }
        k = stop;
      }
    }
    return best;
  }

  /** Bytes held, for the memory report. */
  long bytes() {
    long n = longest.bytes() + blockLength.bytes() + groupLength.length * 8L;
    for (PackedColumn c : sums) {
      n += c.bytes();
    }
    return n + (longestOfGroup.length + firstBlock.length + firstGroup.length) * 4L;
  }
}

package dev.gmptrace.analyzer.read;

import java.util.ArrayList;
import java.util.List;

/**
 * The tables of one generation of a Go trace, gathered from its strings, stacks and CPU sample
 * batches. A stack's frames name strings that may come later in the file, so the ids of the trace
 * are only given out at the end, by {@link #finish}.
 */
final class GoTables {
  final LocalIds strings = new LocalIds();
  final LocalIds stacks = new LocalIds();
  final CpuSamples samples = new CpuSamples();

  private final TraceTables tables;

  /** By program counter: the first frame seen with it, as Go does. */
  private final LongMap<RawFrame> frames = new LongMap<>();

  private final List<RawStack> rawStacks = new ArrayList<>();

  private static final class RawFrame {
    final long function;
    final long file;
    final long line;
    int id = -1;

    RawFrame(long function, long file, long line) {
      this.function = function;
      this.file = file;
      this.line = line;
    }
  }

  private static final class RawStack {
    final long id;
    final long[] pcs;
    final long offset;

    RawStack(long id, long[] pcs, long offset) {
      this.id = id;
      this.pcs = pcs;
      this.offset = offset;
    }
  }

  GoTables(TraceTables tables) {
    this.tables = tables;
  }

  void addStrings(ByteCursor b) throws DamageException {
    b.skip(1);
    while (b.hasMore()) {
      b.expect(GoEvents.STRING, "string");
      long id = b.uvarint();
      long length = b.uvarint();
      if (length < 0 || length > GoEvents.MAX_STRING_BYTES) {
        throw b.damage(
            "a string of "
                + Long.toUnsignedString(length)
                + " bytes, at most "
                + GoEvents.MAX_STRING_BYTES
                + " are allowed");
      }
      if (length > b.remaining()) {
        throw b.damage("a string is cut off by the end of its batch");
      }
      if (!strings.put(id, tables.addString(b.bytes((int) length)))) {
        throw b.damage("two strings have the id " + Long.toUnsignedString(id));
      }
    }
  }

  void addStacks(ByteCursor b) throws DamageException {
    b.skip(1);
    while (b.hasMore()) {
      long offset = b.offset();
      b.expect(GoEvents.STACK, "stack");
      long id = b.uvarint();
      long depth = b.uvarint();
      if (depth < 0 || depth > GoEvents.MAX_STACK_FRAMES) {
        throw b.damage(
            "a stack of "
                + Long.toUnsignedString(depth)
                + " frames, at most "
                + GoEvents.MAX_STACK_FRAMES
                + " are allowed");
      }
      long[] pcs = new long[(int) depth];
      for (int i = 0; i < pcs.length; i++) {
        pcs[i] = b.uvarint();
        long function = b.uvarint();
        long file = b.uvarint();
        long line = b.uvarint();
        if (frames.get(pcs[i]) == null) {
          frames.put(pcs[i], new RawFrame(function, file, line));
        }
      }
      // A placeholder, so that a second stack with the id is noticed now.
      if (!stacks.put(id, 0)) {
        throw b.damage("two stacks have the id " + Long.toUnsignedString(id));
      }
      rawStacks.add(new RawStack(id, pcs, offset));
    }
  }

  void addCpuSamples(ByteCursor b) throws DamageException {
    b.skip(1);
    while (b.hasMore()) {
      long offset = b.offset();
      b.expect(GoEvents.CPU_SAMPLE, "CPU sample");
      long ticks = b.uvarint();
      long m = b.uvarint();
      long p = b.uvarint();
      long g = b.uvarint();
      long stack = b.uvarint();
      samples.add(ticks, m, p, g == 0 ? TraceEvent.NONE : g, stack, offset);
    }
  }

  void finish(double nanosPerTick) throws DamageException {
    samples.finish(nanosPerTick);
    for (RawStack stack : rawStacks) {
      int[] ids = new int[stack.pcs.length];
      for (int i = 0; i < ids.length; i++) {
        RawFrame f = frames.get(stack.pcs[i]);
        if (f == null) {
          throw new IllegalStateException("frame of a stack without a program counter");
        }
        if (f.id < 0) {
          f.id =
              tables.addFrame(
                  new TraceTables.Frame(
                      stack.pcs[i], name(stack, f.function), name(stack, f.file), f.line));
        }
        ids[i] = f.id;
      }
      stacks.replace(stack.id, tables.addStack(ids));
    }
  }

  private int name(RawStack stack, long id) throws DamageException {
    int name = strings.get(id);
    if (name < 0) {
      throw new DamageException(
          stack.offset,
          "stack " + stack.id + " names string " + id + ", which is not in the table");
    }
    return name;
  }
}

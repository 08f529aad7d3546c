package dev.gmptrace.analyzer.read;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** Where the batches of one thread in one generation stand in the file, in the file's order. */
final class GoRuns implements StreamSource {
  private static final byte[] ARG_COUNTS = GoEvents.streamArgs();
  private static final byte[] NO_ZIGZAG = new byte[256];

  private final TraceFile file;
  private final long thread;
  private final LongConsumer consumed;

  // Most threads have a batch or two in a generation.
  private long[] offsets = new long[1];
  private long[] ticks = new long[1];
  private int[] sizes = new int[1];
  private int count;
  private double nanosPerTick;

  GoRuns(TraceFile file, long thread, LongConsumer consumed) {
    this.file = file;
    this.thread = thread;
    this.consumed = consumed;
  }

  void add(GoBatches batch) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, count * 2);
      ticks = Arrays.copyOf(ticks, count * 2);
      sizes = Arrays.copyOf(sizes, count * 2);
    }
    offsets[count] = batch.dataOffset;
    ticks[count] = batch.ticks;
    sizes[count] = batch.size;
    count++;
  }

  void clock(double nanosPerTickOfGeneration) {
    nanosPerTick = nanosPerTickOfGeneration;
  }

  @Override
  public EventStream open(OrderContext ctx) {
    return new Stream(ctx.thread(thread));
  }

  private final class Stream extends EventStream {
    private int run;

    Stream(ThreadState state) {
      super(state, ARG_COUNTS, NO_ZIGZAG, nanosPerTick);
    }

    @Override
    boolean nextRun() throws DamageException {
      if (run == count) {
        return false;
      }
      int size = sizes[run];
      // As long as it must be, and then as long as any: a file may have a batch a thread.
      byte[] buffer = bytes.length >= size ? bytes : new byte[size];
      file.readFully(offsets[run], buffer, size);
      startRun(buffer, 0, size, offsets[run], ticks[run]);
      consumed.accept(size);
      run++;
      return true;
    }
  }
}

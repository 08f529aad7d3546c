package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.EventType;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * The footprint of a Go trace, read batch by batch without putting anything in order:
 *
 * <pre>
 *   16 bytes header, then batches:  EventBatch(1) gen m time size | size bytes of events
 *                                   ExperimentalBatch(49) experiment gen m time size | data
 *                                   EndOfGeneration(52)
 * </pre>
 *
 * Inside a batch an event is a byte and as many varints as its type has arguments. A batch that
 * cannot be walked to its end is counted as a whole.
 */
final class GoFootprint {
  private static final int EVENT_BATCH = 1;
  private static final int STACKS = 2;
  private static final int STACK = 3;
  private static final int STRINGS = 4;
  private static final int STRING = 5;
  private static final int CPU_SAMPLES = 6;
  private static final int CPU_SAMPLE = 7;
  private static final int FREQUENCY = 8;
  private static final int EXPERIMENTAL_BATCH = 49;
  private static final int SYNC = 50;
  private static final int CLOCK_SNAPSHOT = 51;
  private static final int END_OF_GENERATION = 52;
  private static final int HEADER = 16;
  private static final int LONGEST_BATCH = 1 << 20;

  /** Of the alloc/free experiment, from id 128. */
  private static final String[] EXPERIMENT = {
    "Span", "SpanAlloc", "SpanFree",
    "HeapObject", "HeapObjectAlloc", "HeapObjectFree",
    "GoroutineStack", "GoroutineStackAlloc", "GoroutineStackFree"
  };

  private static final int[] EXPERIMENT_ARGS = {4, 4, 2, 3, 3, 2, 3, 3, 2};

  private final InputStream in;
  private final Footprint.Tally tally;
  private long position = HEADER;
  private byte[] batch = new byte[1 << 16];
  private int at;
  private int end;

  private GoFootprint(InputStream in, Footprint.Tally tally) {
    this.in = in;
    this.tally = tally;
  }

  static void read(Path file, Footprint.Tally tally, LongConsumer progress) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 18)) {
      in.skipNBytes(HEADER);
      tally.other("(file header)", HEADER);
      new GoFootprint(in, tally).batches(progress);
    } catch (EOFException e) {
      // Cut off: what is left over is counted as unreadable.
    }
  }

  private void batches(LongConsumer progress) throws IOException {
    for (int type = in.read(); type >= 0; type = in.read()) {
      long begin = position++;
      if (type == END_OF_GENERATION) {
        tally.other("EndOfGeneration", 1);
        continue;
      }
      if (type != EVENT_BATCH && type != EXPERIMENTAL_BATCH) {
        return;
      }
      for (int i = type == EVENT_BATCH ? 3 : 4; i > 0; i--) {
        fileVarint();
      }
      long size = fileVarint();
      if (size < 0 || size > LONGEST_BATCH) {
        return;
      }
      batch = batch.length < size ? new byte[(int) size] : batch;
      in.readNBytes(batch, 0, (int) size);
      long head = position - begin;
      position += size;
      progress.accept(position);
      tally.other("(batch headers)", head);
      if (type == EXPERIMENTAL_BATCH) {
        tally.other("ExperimentalBatch", size);
      } else {
        at = 0;
        end = (int) size;
        events();
      }
    }
  }

  private long fileVarint() throws IOException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int b = in.read();
      if (b < 0 || shift > 63) {
        throw new EOFException();
      }
      position++;
      value |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return value;
      }
    }
  }

  private void events() {
    while (at < end) {
      int begin = at;
      int type = batch[at++] & 0xff;
      if (!skipArguments(type)) {
        tally.other("(unknown events)", end - begin);
        return;
      }
      String name = name(type);
      boolean table = type < EventType.PROCS_CHANGE.id() && type != CPU_SAMPLE;
      if (table || type == SYNC || type == CLOCK_SNAPSHOT) {
        tally.other(name, at - begin);
      } else {
        tally.event(name, at - begin);
      }
    }
  }

  private boolean skipArguments(int type) {
    return switch (type) {
      case STACKS, STRINGS, CPU_SAMPLES, SYNC -> true;
      case STACK -> {
        varint();
        yield skip(4 * varint());
      }
      case STRING -> {
        varint();
        long length = varint();
        at = length < 0 || length > end - at ? end + 1 : at + (int) length;
        yield at <= end;
      }
      case CPU_SAMPLE -> skip(5);
      case FREQUENCY -> skip(1);
      case CLOCK_SNAPSHOT -> skip(4);
      default -> {
        int experiment = type - 128;
        if (experiment >= 0 && experiment < EXPERIMENT.length) {
          yield skip(EXPERIMENT_ARGS[experiment]);
        }
        EventType known = EventType.byId(type);
        yield known != null && known.fromGo() && skip(known.args().size());
      }
    };
  }

  private boolean skip(long varints) {
    for (long i = 0; i < varints; i++) {
      if (varint() < 0 && at > end) {
        return false;
      }
    }
    return at <= end;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; at < end; shift += 7) {
      byte b = batch[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    at = end + 1;
    return -1;
  }

  private static String name(int type) {
    return switch (type) {
      case STACKS -> "Stacks";
      case STACK -> "Stack";
      case STRINGS -> "Strings";
      case STRING -> "String";
      case CPU_SAMPLES -> "CPUSamples";
      case CPU_SAMPLE -> "CPUSample";
      case FREQUENCY -> "Frequency";
      case SYNC -> "Sync";
      case CLOCK_SNAPSHOT -> "ClockSnapshot";
      default -> {
        EventType known = EventType.byId(type);
        yield known != null ? known.wireName() : EXPERIMENT[type - 128];
      }
    };
  }
}

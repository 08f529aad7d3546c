package dev.gmptrace.analyzer.read;

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
  private static final int HEADER = 16;
  private static final int LONGEST_BATCH = 1 << 20;

  private static final byte[] ARGS = GoEvents.streamArgs();

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
      if (type == GoEvents.END_OF_GENERATION) {
        tally.other("EndOfGeneration", 1);
        continue;
      }
      if (type != GoEvents.EVENT_BATCH && type != GoEvents.EXPERIMENTAL_BATCH) {
        return;
      }
      for (int i = type == GoEvents.EVENT_BATCH ? 3 : 4; i > 0; i--) {
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
      if (type == GoEvents.EXPERIMENTAL_BATCH) {
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
      String name = GoEvents.name(type);
      boolean table = type < EventTypes.PROCS_CHANGE && type != GoEvents.CPU_SAMPLE;
      if (table || type == GoEvents.SYNC || type == GoEvents.CLOCK_SNAPSHOT) {
        tally.other(name, at - begin);
      } else {
        tally.event(name, at - begin);
      }
    }
  }

  private boolean skipArguments(int type) {
    return switch (type) {
      case GoEvents.STACKS, GoEvents.STRINGS, GoEvents.CPU_SAMPLES, GoEvents.SYNC -> true;
      case GoEvents.STACK -> {
        varint();
        yield skip(4 * varint());
      }
      case GoEvents.STRING -> {
        varint();
        long length = varint();
        at = length < 0 || length > end - at ? end + 1 : at + (int) length;
        yield at <= end;
      }
      case GoEvents.CPU_SAMPLE -> skip(5);
      case GoEvents.FREQUENCY -> skip(1);
      case GoEvents.CLOCK_SNAPSHOT -> skip(4);
      // The time is an argument, too.
      default -> ARGS[type] >= 0 && skip(ARGS[type] + 1);
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
}

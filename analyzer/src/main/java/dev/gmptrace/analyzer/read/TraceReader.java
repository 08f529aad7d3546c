package dev.gmptrace.analyzer.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a trace file, whichever format it has.
 *
 * <pre>{@code
 * try (TraceReader reader = TraceReader.open(path)) {
 *   TraceTables tables = reader.tables();
 *   ReadResult result = reader.read(event -> {
 *     if (event.kind() == EventKind.STATE_TRANSITION
 *         && event.resource() == ResourceKind.GOROUTINE
 *         && event.goTo() == GoState.WAITING) {
 *       System.out.println(event.resourceId() + " waits: " + tables.string(event.reason()));
 *     }
 *   });
 *   result.orRefuse(reader.info()).warnings().forEach(System.err::println);
 * }
 * }</pre>
 *
 * <p>A file that is no trace, or a version that is not understood, is refused by {@link #open}.
 * Damage further on is no exception: every event before it is delivered, and the {@link ReadResult}
 * says what is wrong and where.
 */
public abstract class TraceReader implements AutoCloseable {
  static final int HEADER_BYTES = 16;

  private static final String GO_MAGIC = "go 1.";
  private static final String GMP_MAGIC = "GMPTRACE";
  private static final Pattern GO_HEADER = Pattern.compile("go 1\\.(\\d{1,3}) trace\0+");

  private final TraceInfo info;
  private final TraceTables tables = new TraceTables();

  TraceReader(TraceInfo info) {
    this.info = info;
  }

  /**
   * Opens a trace.
   *
   * @throws TraceFormatException if there is no such file or it is not a readable trace
   */
  public static TraceReader open(Path path) {
    try {
      if (Files.isDirectory(path)) {
        throw new TraceFormatException(path + " is a directory, not a trace file");
      }
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        throw new TraceFormatException(
            path + " is not a regular file; write the trace to one and open that");
      }
      try (FileChannel file = FileChannel.open(path)) {
        ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
        while (head.hasRemaining() && file.read(head) >= 0) {
          // Until the header is whole or the file has ended.
        }
        return forHeader(path, head.flip(), file.size());
      }
    } catch (NoSuchFileException e) {
      throw new TraceFormatException(path + ": no such file", e);
    } catch (IOException e) {
      throw new TraceFormatException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static TraceReader forHeader(Path path, ByteBuffer head, long size) {
    if (size == 0) {
      throw new TraceFormatException(path + " is empty: nothing was recorded, or not yet flushed");
    }
    String text = StandardCharsets.ISO_8859_1.decode(head).toString();
    if (text.startsWith(GMP_MAGIC)) {
      return GmpTraceReader.open(path, size);
    }
    if (text.startsWith(GO_MAGIC) && text.length() < HEADER_BYTES) {
      throw new TraceFormatException(path + " ends inside the header of a Go trace");
    }
    Matcher go = GO_HEADER.matcher(text);
    if (go.matches()) {
      int version = Integer.parseInt(go.group(1));
      return switch (version) {
        case 22, 23, 25, 26 -> {
          TraceInfo info =
              new TraceInfo(path, TraceInfo.Format.GO, "go 1." + version, size, "", Map.of());
          yield new GoTraceReader(info, version);
        }
        case 5, 7, 8, 9, 10, 11, 19, 21 ->
            throw new TraceFormatException(
                path
                    + " is a trace in the format Go had before 1.22 (header: go 1."
                    + version
                    + "), which is not supported; record it again with Go 1.22 or newer");
        default ->
            throw new TraceFormatException(
                path
                    + " is a Go trace of version go 1."
                    + version
                    + "; known are 1.22, 1.23, 1.25 and 1.26");
      };
    }
    throw new TraceFormatException(
        path + " is not a trace: it begins neither like one of Go nor like one of gmptrace");
  }

  /** What the file's header says. */
  public TraceInfo info() {
    return info;
  }

  /** Strings, frames and stacks by the ids in events; filled while reading. */
  public TraceTables tables() {
    return tables;
  }

  /**
   * Reads the trace from its beginning and delivers every event, in order, on the calling thread.
   * To be called once.
   */
  public abstract ReadResult read(EventSink sink);

  /** How many bytes of the file have been ordered so far; for progress, from any thread. */
  public abstract long position();

  @Override
  public abstract void close();
}

package dev.gmptrace.runtime.config;

import dev.gmptrace.tracer.record.TraceOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every key of {@code GMPDEBUG}: its kind, its range and a sentence about it. */
public enum DebugKey {
  SCHEDTRACE(
      Kind.NUMBER,
      0,
      Integer.MAX_VALUE,
      "a number of milliseconds",
      "Print the state of the scheduler every so many milliseconds; 0 is off."),
  SCHEDDETAIL(Kind.FLAG, "Make schedtrace print a line for every P, M and goroutine as well."),
  TRACE(Kind.FILE, "Record a trace into this file, from the start to the end of the program."),
  TRACEFLIGHT(
      Kind.SIZE,
      64 << 10,
      Long.MAX_VALUE,
      "a size of at least 64K",
      "Keep the last so many bytes of trace in memory, to be written on demand."),
  TRACESTACK(
      Kind.NUMBER,
      0,
      128,
      "a number of frames from 0 to 128",
      "Record stacks of up to so many frames; 0 records none."),
  TRACESTACKON(
      Kind.WORDS,
      0,
      0,
      "some of create, block, unblock, stop, syscall, user, joined by +",
      "Record stacks with these events only."),
  TRACECPU(
      Kind.NUMBER,
      0,
      1000,
      "a number of samples a second from 0 to 1000",
      "Record what uses the CPUs so many times a second; 0 records no samples."),
  TRACEGC(
      Kind.WORDS,
      0,
      0,
      "0, 1 or jfr",
      "Record the JVM's collections: not at all, to the millisecond, or exactly but at a cost."),
  TRACEADVANCEPERIOD(
      Kind.NUMBER,
      1_000_000,
      Long.MAX_VALUE,
      "a number of nanoseconds, 1000000 or more",
      "Begin a new generation of the trace every so many nanoseconds, as in Go."),
  TRACEBUF(
      Kind.SIZE,
      4 << 10,
      TraceOptions.MAX_BUFFER_BYTES,
      "a size from 4K to 4M",
      "Size of one trace buffer."),
  TRACEPOOL(
      Kind.SIZE,
      64 << 10,
      Long.MAX_VALUE,
      "a size of at least 64K",
      "Memory for events on their way to the file; when it is used up, events are lost and counted."),
  CHECK(Kind.FLAG, "Check the scheduler's invariants while it runs; slower."),
  ASYNCPREEMPTOFF(Kind.FLAG, "Never ask a goroutine to yield after its time slice."),
  GCTRACE(Kind.FLAG, "Print a line for every collection of the JVM."),
  MAXTHREADS(
      Kind.NUMBER,
      1,
      1_000_000,
      "a number of threads from 1 to 1000000",
      "End the program when it needs more threads than this."),
  SEED(
      Kind.NUMBER,
      Long.MIN_VALUE,
      Long.MAX_VALUE,
      "an integer",
      "Make the order of stealing and the choice of select repeatable.");

  /** How a value is written. */
  enum Kind {
    NUMBER,
    FLAG,
    SIZE,
    FILE,
    WORDS
  }

  /** Keys of Go's that a scheduler or tracer of Go knows and that have no meaning here. */
  static final Set<String> SILENT =
      Set.of(
          "containermaxprocs",
          "dontfreezetheworld",
          "tracebackancestors",
          "tracebacklabels",
          "tracefpunwindoff",
          "updatemaxprocs");

  private final Kind kind;
  private final long min;
  private final long max;
  private final String expected;
  private final String sentence;

  DebugKey(Kind kind, String sentence) {
    this(kind, 0, Long.MAX_VALUE, kind == Kind.FLAG ? "0 or 1" : "the name of a file", sentence);
  }

  DebugKey(Kind kind, long min, long max, String expected, String sentence) {
    this.kind = kind;
    this.min = min;
    this.max = max;
    this.expected = expected;
    this.sentence = sentence;
  }

  /** As it is written: {@code schedtrace}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it does, for help texts. */
  public String sentence() {
    return sentence;
  }

  /** What a value must be, for messages: "a size from 4K to 16M". */
  public String expected() {
    return expected;
  }

  /** Whether there is a key of that name. */
  public static boolean isKey(String key) {
    return of(key) != null;
  }

  static @Nullable DebugKey of(String key) {
    for (DebugKey k : values()) {
      if (k.key().equals(key)) {
        return k;
      }
    }
    return null;
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(DebugKey::key).toList();
  }

  boolean isFile() {
    return kind == Kind.FILE;
  }

  /** The value as a number, or null when it cannot be used. Flags are Go's: any level above 0. */
  @Nullable Long number(String text) {
    Long value = kind == Kind.SIZE ? size(text) : whole(text);
    return value != null && value >= min && value <= max ? value : null;
  }

  private static @Nullable Long whole(String text) {
    if (!text.matches("-?\\d{1,19}|0[xX][0-9a-fA-F]{1,16}")) {
      return null;
    }
    try {
      return text.regionMatches(true, 0, "0x", 0, 2)
          ? (Long) Long.parseUnsignedLong(text.substring(2), 16)
          : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Long size(String text) {
    if (!text.matches("\\d{1,15}([kKmMgG]([iI]?[bB])?)?")) {
      return null;
    }
    String digits = text.replaceFirst("\\D.*", "");
    int shift =
        switch (digits.length() == text.length() ? ' ' : text.charAt(digits.length())) {
          case 'k', 'K' -> 10;
          case 'm', 'M' -> 20;
          case 'g', 'G' -> 30;
          default -> 0;
        };
    long value = Long.parseLong(digits);
    return value > Long.MAX_VALUE >> shift ? null : (Long) (value << shift);
  }
}

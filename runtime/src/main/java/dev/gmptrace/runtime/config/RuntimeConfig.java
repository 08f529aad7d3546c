package dev.gmptrace.runtime.config;

import dev.gmptrace.tracer.record.StackOn;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run was asked to be: the outcome of {@code GMPDEBUG} and {@code GMPMAXPROCS}.
 *
 * <p>A value of 0 for a size of the tracer means that the tracer's own default holds.
 *
 * @param maxProcs how many Ps
 * @param schedTraceMillis period of schedtrace lines, 0 when off
 * @param schedDetail a line for every P, M and G too
 * @param traceFile where to record, or null
 * @param traceFlightBytes size of the flight recorder, 0 when off
 * @param traceStackDepth frames of a recorded stack, 0 for none
 * @param traceStackOn the events that get a stack
 * @param traceCpuHz CPU samples a second, 0 for none
 * @param traceGc whether collections are recorded, and who tells of them
 * @param traceAdvanceNanos length of a generation, or 0
 * @param traceBufferBytes size of one buffer, or 0
 * @param tracePoolBytes memory of all buffers, or 0
 * @param check check the invariants while running
 * @param asyncPreemptOff a loop that only calls checkPreempt runs past its time slice
 * @param gcTrace print a line per collection
 * @param maxThreads the fuse
 * @param seed for repeatable random choices, or null for a fresh one
 * @param source the text that was read, for a trace's header; empty when nothing was set
 * @param warnings sentences about keys that are not known
 */
public record RuntimeConfig(
    int maxProcs,
    int schedTraceMillis,
    boolean schedDetail,
    @Nullable Path traceFile,
    long traceFlightBytes,
    int traceStackDepth,
    Set<StackOn> traceStackOn,
    int traceCpuHz,
    TraceGc traceGc,
    long traceAdvanceNanos,
    int traceBufferBytes,
    long tracePoolBytes,
    boolean check,
    boolean asyncPreemptOff,
    boolean gcTrace,
    int maxThreads,
    @Nullable Long seed,
    String source,
    List<String> warnings) {

  /** The most Ps there can be. */
  public static final int MAX_PROCS = 1024;

  /** Go's fuse against a program that blocks thread after thread. */
  public static final int DEFAULT_MAX_THREADS = 10_000;

  private static @Nullable RuntimeConfig ofProcess;

  public RuntimeConfig {
    traceStackOn = Set.copyOf(traceStackOn);
    warnings = List.copyOf(warnings);
  }

  /** As if nothing were set. */
  public static RuntimeConfig defaults() {
    return parse(Map.of());
  }

  /** As if only {@code GMPDEBUG} were set, to this. */
  public static RuntimeConfig of(String gmpDebug) {
    return parse(Map.of("GMPDEBUG", gmpDebug));
  }

  /**
   * The configuration of this process, read once; its warnings go to standard error then.
   *
   * @throws ConfigException when a value cannot be used
   */
  public static synchronized RuntimeConfig fromEnvironment() {
    RuntimeConfig config = ofProcess;
    if (config == null) {
      config = parse(System.getenv());
      for (String warning : config.warnings) {
        System.err.println("gmptrace: warning: " + warning);
      }
      ofProcess = config;
    }
    return config;
  }

  /**
   * Reads an environment: {@code GMPDEBUG}, or {@code GODEBUG} when that is unset, and {@code
   * GMPMAXPROCS}, or {@code GOMAXPROCS}. An empty variable counts as unset.
   *
   * @throws ConfigException when a value cannot be used
   */
  public static RuntimeConfig parse(Map<String, String> env) {
    String own = env.getOrDefault("GMPDEBUG", "");
    String gos = env.getOrDefault("GODEBUG", "");
    String variable = own.isBlank() ? "GODEBUG" : "GMPDEBUG";
    String text = own.isBlank() ? gos : own;
    var warnings = new LinkedHashSet<String>(); // each mistake once
    var values = new EnumMap<DebugKey, String>(DebugKey.class);
    for (String item : text.split(",", -1)) {
      read(variable, item.strip(), values, warnings);
    }
    return new RuntimeConfig(
        maxProcs(env),
        Math.toIntExact(number(variable, values, DebugKey.SCHEDTRACE, 0)),
        number(variable, values, DebugKey.SCHEDDETAIL, 0) > 0,
        file(variable, values.get(DebugKey.TRACE)),
        number(variable, values, DebugKey.TRACEFLIGHT, 0),
        Math.toIntExact(number(variable, values, DebugKey.TRACESTACK, 0)),
        stackOn(variable, values.get(DebugKey.TRACESTACKON)),
        Math.toIntExact(number(variable, values, DebugKey.TRACECPU, 0)),
        traceGc(variable, values.get(DebugKey.TRACEGC)),
        number(variable, values, DebugKey.TRACEADVANCEPERIOD, 0),
        Math.toIntExact(number(variable, values, DebugKey.TRACEBUF, 0)),
        number(variable, values, DebugKey.TRACEPOOL, 0),
        number(variable, values, DebugKey.CHECK, 0) > 0,
        number(variable, values, DebugKey.ASYNCPREEMPTOFF, 0) > 0,
        number(variable, values, DebugKey.GCTRACE, 0) > 0,
        Math.toIntExact(number(variable, values, DebugKey.MAXTHREADS, DEFAULT_MAX_THREADS)),
        values.containsKey(DebugKey.SEED)
            ? (Long) number(variable, values, DebugKey.SEED, 0)
            : null,
        text.strip(),
        List.copyOf(warnings));
  }

  private static void read(
      String variable, String item, Map<DebugKey, String> values, Set<String> warnings) {
    if (item.isEmpty()) {
      return;
    }
    int equals = item.indexOf('=');
    String name = equals < 0 ? item : item.substring(0, equals).strip();
    DebugKey key = DebugKey.of(name);
    if (key != null && equals >= 0) {
      values.put(key, item.substring(equals + 1).strip());
    } else if (key != null) {
      throw new ConfigException(
          "%s: '%s' has no value; expected %s=%s".formatted(variable, name, name, key.expected()));
    } else if (variable.equals("GMPDEBUG") && !DebugKey.SILENT.contains(name)) {
      String near = Nearest.of(name, DebugKey.keys());
      warnings.add(
          near == null
              ? "GMPDEBUG: unknown key '%s'; known are %s"
                  .formatted(name, String.join(", ", DebugKey.keys()))
              : "GMPDEBUG: unknown key '%s'; did you mean '%s'?".formatted(name, near));
    }
  }

  private static long number(
      String variable, Map<DebugKey, String> values, DebugKey key, long otherwise) {
    String text = values.get(key);
    if (text == null) {
      return otherwise;
    }
    Long value = key.number(text);
    if (value == null) {
      throw bad(variable, key, text);
    }
    return value;
  }

  private static @Nullable Path file(String variable, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      // Named below, as every other bad value.
    }
    throw bad(variable, DebugKey.TRACE, text);
  }

  private static Set<StackOn> stackOn(String variable, @Nullable String text) {
    if (text == null) {
      return EnumSet.allOf(StackOn.class);
    }
    var events = EnumSet.noneOf(StackOn.class);
    for (String word : text.split("\\+", -1)) {
      try {
        events.add(StackOn.valueOf(word.strip().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw bad(variable, DebugKey.TRACESTACKON, text);
      }
    }
    return events;
  }

  private static TraceGc traceGc(String variable, @Nullable String text) {
    return switch (text) {
      case null -> TraceGc.NOTIFICATIONS;
      case "0" -> TraceGc.OFF;
      case "1" -> TraceGc.NOTIFICATIONS;
      case "jfr" -> TraceGc.JFR;
      default -> throw bad(variable, DebugKey.TRACEGC, text);
    };
  }

  private static ConfigException bad(String variable, DebugKey key, String text) {
    return new ConfigException(
        "%s: %s=%s: expected %s".formatted(variable, key.key(), text, key.expected()));
  }

  private static int maxProcs(Map<String, String> env) {
    for (String variable : List.of("GMPMAXPROCS", "GOMAXPROCS")) {
      String text = env.getOrDefault(variable, "").strip();
      if (text.isEmpty()) {
        continue;
      }
      int value = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
      if (value < 1 || value > MAX_PROCS) {
        throw new ConfigException(
            "%s=%s: expected a number of Ps from 1 to %d".formatted(variable, text, MAX_PROCS));
      }
      return value;
    }
    return defaultMaxProcs();
  }

  /**
   * The processors this process may use. The JDK has already taken the CPU limit of a container
   * (cgroup quota, rounded up), the affinity mask and {@code -XX:ActiveProcessorCount} into
   * account.
   */
  public static int defaultMaxProcs() {
    return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_PROCS);
  }

  /** The same with another number of Ps. */
  public RuntimeConfig withMaxProcs(int procs) {
    return new RuntimeConfig(
        procs,
        schedTraceMillis,
        schedDetail,
        traceFile,
        traceFlightBytes,
        traceStackDepth,
        traceStackOn,
        traceCpuHz,
        traceGc,
        traceAdvanceNanos,
        traceBufferBytes,
        tracePoolBytes,
        check,
        asyncPreemptOff,
        gcTrace,
        maxThreads,
        seed,
        source,
        warnings);
  }
}

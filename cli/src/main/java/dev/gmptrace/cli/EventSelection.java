package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.runtime.config.Nearest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which events {@code gmptrace events} prints. Different options narrow, values of one widen. */
final class EventSelection {
  private final long[] goroutines;
  private final long[] procs;
  private final long[] threads;
  private final Set<EventKind> kinds;
  private final long from;
  private final long to;

  EventSelection(
      List<Long> goroutines,
      List<Long> procs,
      List<Long> threads,
      List<String> kinds,
      long from,
      long to) {
    this.goroutines = sorted(goroutines);
    this.procs = sorted(procs);
    this.threads = sorted(threads);
    this.kinds = EnumSet.noneOf(EventKind.class);
    kinds.forEach(k -> this.kinds.add(kind(k)));
    this.from = from;
    this.to = to;
  }

  private static long[] sorted(List<Long> ids) {
    return ids.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private static EventKind kind(String name) {
    for (EventKind kind : EventKind.values()) {
      if (kind != EventKind.BAD && kind.text().equalsIgnoreCase(name)) {
        return kind;
      }
    }
    List<String> known =
        Arrays.stream(EventKind.values())
            .filter(k -> k != EventKind.BAD)
            .map(EventKind::text)
            .toList();
    String near = Nearest.of(name, known);
    throw CliException.usage(
        "--kind: unknown kind '"
            + name
            + "'; "
            + (near == null
                ? "known are " + String.join(", ", known)
                : "did you mean " + near + "?"));
  }

  /** Whether the event is wanted; {@code sinceStart} is its time since the first event. */
  boolean wants(TraceEvent e, long sinceStart) {
    return sinceStart >= from
        && sinceStart < to
        && (kinds.isEmpty() || kinds.contains(e.kind()))
        && about(goroutines, e, e.goroutine(), ResourceKind.GOROUTINE)
        && about(procs, e, e.proc(), ResourceKind.PROC)
        && about(threads, e, e.thread(), ResourceKind.THREAD);
  }

  /** A window that begins where the trace has ended is a mistake, not an empty answer. */
  void requireWithin(long duration) {
    if (from > duration) {
      throw CliException.usage(
          "--from: "
              + Units.duration(from)
              + " is after the end of the trace, "
              + Units.duration(duration));
    }
  }

  /** Whether all later events are unwanted. */
  boolean isPast(long sinceStart) {
    return sinceStart >= to;
  }

  private static boolean about(long[] ids, TraceEvent e, long where, ResourceKind kind) {
    return ids.length == 0
        || Arrays.binarySearch(ids, where) >= 0
        || (e.resource() == kind && Arrays.binarySearch(ids, e.resourceId()) >= 0);
  }
}

package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.ModelBuilder;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.ClockSnapshot;
import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.TraceFormatException;
import dev.gmptrace.analyzer.read.TraceInfo;
import dev.gmptrace.analyzer.read.TraceReader;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An opened trace: everything about it can be asked, from any thread.
 *
 * <pre>{@code
 * Trace trace = Trace.open(Path.of("trace.bin"));
 * Tile tile = trace.index().query(LaneId.p(0), 0, trace.info().durationNs(), 1000);
 * }</pre>
 */
public final class Trace {
  /** What opening takes besides, and per byte of the file, at most; see docs/INDEX.md. */
  private static final int HEAP_FOR_JVM = 100;

  private static final int HEAP_PER_FILE = 6;

  private static final int PROGRESS_MASK = (1 << 16) - 1;

  private final TraceModel model;
  private final TraceIndex index;
  private final TraceOverview info;

  private Trace(TraceModel model) {
    this.model = model;
    this.index = new TraceIndex(model);
    this.info = overview(model);
  }

  /**
   * Reads a trace and makes it ready to be asked.
   *
   * @throws dev.gmptrace.analyzer.read.TraceFormatException with a sentence for users when the file
   *     is not a trace or nothing in it can be read
   */
  public static Trace open(Path file) {
    return open(file, Progress.NONE);
  }

  /** As {@link #open(Path)}, telling how far it is. */
  public static Trace open(Path file, Progress progress) {
    try (TraceReader reader = TraceReader.open(file)) {
      return of(reader, progress);
    }
  }

  /** What a reader delivers, made ready to be asked; the reader is read to its end, not closed. */
  public static Trace of(TraceReader reader, Progress progress) {
    ModelBuilder builder = new ModelBuilder(reader);
    long size = reader.info().size();
    progress.update(Progress.Phase.READING, 0, size, 0, 0);
    try {
      ReadResult result =
          reader.read(e -> {
            builder.event(e);
            if ((e.number() & PROGRESS_MASK) == PROGRESS_MASK) {
              progress.update(
                  Progress.Phase.READING, reader.position(), size, e.number() + 1, builder.now());
            }
          });
      result.orRefuse(reader.info());
      progress.update(Progress.Phase.INDEXING, 0, 1, result.events(), result.duration());
      Trace trace = new Trace(builder.finish(result));
      progress.update(Progress.Phase.READY, 1, 1, result.events(), result.duration());
      return trace;
    } catch (OutOfMemoryError e) {
      // The columns are most of the heap and garbage from here on, so there is room to say so.
      throw new TraceFormatException(
          "%s does not fit into a heap of %d MB; about %d MB may do (option -Xmx of the JVM)"
              .formatted(
                  reader.info().path(),
                  Runtime.getRuntime().maxMemory() >> 20,
                  HEAP_FOR_JVM + HEAP_PER_FILE * (size >> 20)),
          e);
    }
  }

  private static TraceOverview overview(TraceModel model) {
    TraceInfo file = model.info();
    ReadResult result = model.result();
    ClockSnapshot clock = result.clock();
    long wall = -1;
    if (clock != null) {
      wall =
          ChronoUnit.NANOS.between(Instant.EPOCH, clock.wall())
              - (clock.traceTime() - result.startTime());
    }
    Series procs = model.series("gomaxprocs");
    Path name = file.path().getFileName();
    return new TraceOverview(
        name == null ? file.path().toString() : name.toString(),
        file.size(),
        file.format().name().toLowerCase(Locale.ROOT),
        file.version(),
        file.program(),
        result.startTime(),
        model.duration(),
        result.events(),
        result.generations(),
        model.goroutines().size(),
        procs == null || procs.size() == 0 ? model.procs().size() : (int) procs.max(),
        model.threads().size(),
        wall,
        model.points().sum(PointKind.LOST),
        !result.complete(),
        warnings(model, result));
  }

  private static List<String> warnings(TraceModel model, ReadResult result) {
    List<String> list = new ArrayList<>();
    result.warnings().forEach(w -> list.add(w.toString()));
    if (model.procs().full() || model.threads().full()) {
      list.add(
          "the trace names more than %d threads or processors; those beyond have no lane"
              .formatted(Math.max(model.procs().size(), model.threads().size())));
    }
    return List.copyOf(list);
  }

  /** What this trace is. */
  public TraceOverview info() {
    return info;
  }

  /** The columns underneath. */
  public TraceModel model() {
    return model;
  }

  /** The questions a viewer asks. */
  public TraceIndex index() {
    return index;
  }
}

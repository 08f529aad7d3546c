package dev.gmptrace.analyzer.read;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads Go execution traces of Go 1.22 and newer.
 *
 * <p>Three threads share the work: one finds the batches of the next generation and builds its
 * tables, one decodes and orders the events of the present one, and the caller's takes what is
 * ordered.
 */
final class GoTraceReader extends TraceReader {
  private final TraceFile file;
  private final int version;

  private final LongAdder consumed = new LongAdder();
  private long startTime;
  private int generations;
  private @Nullable ClockSnapshot clock;
  private @Nullable DamageException damage;
  private long endTime;

  GoTraceReader(TraceInfo info, int version) {
    super(info);
    this.version = version;
    this.file = new TraceFile(info.path());
  }

  @Override
  public ReadResult read(EventSink sink) {
    long events = new Pipeline().run(this::order, sink);
    List<TraceWarning> warnings = new ArrayList<>();
    TraceWarning broken = damage == null ? null : damage.warning();
    if (broken != null) {
      warnings.add(broken);
    }
    return new ReadResult(events, generations, startTime, endTime, clock, broken, warnings);
  }

  private void order(UnaryOperator<EventBlock> exchange) {
    Ordering ordering = new Ordering(tables(), false, exchange);
    GoGenerations source = new GoGenerations(file, version, tables(), HEADER_BYTES, consumed::add);
    FutureTask<GoGenerations.Step> ahead = start(source);
    try {
      while (true) {
        GoGenerations.Step step = get(ahead);
        if (!step.last() && step.damage() == null) {
          ahead = start(source);
        }
        Generation generation = step.generation();
        if (generation != null) {
          if (generations++ == 0) {
            startTime = generation.startTime;
          }
          if (clock == null) {
            clock = generation.clock;
          }
          ordering.order(generation);
        }
        damage = step.damage();
        if (step.last() || damage != null) {
          ordering.lastSync(file.size());
          break;
        }
      }
    } catch (DamageException e) {
      damage = e;
    } finally {
      ahead.cancel(true);
    }
    endTime = ordering.context().lastTime();
    ordering.flush();
  }

  private static FutureTask<GoGenerations.Step> start(GoGenerations source) {
    FutureTask<GoGenerations.Step> task = new FutureTask<>(source::next);
    Thread.ofPlatform().daemon().name("gmptrace-scan").start(task);
    return task;
  }

  private static GoGenerations.Step get(FutureTask<GoGenerations.Step> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          Throwable cause = e.getCause();
          if (cause instanceof Error error) {
            throw error;
          }
          throw new IllegalStateException("finding the next generation failed", cause);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long position() {
    return HEADER_BYTES + consumed.sum();
  }

  @Override
  public void close() {
    file.close();
  }
}

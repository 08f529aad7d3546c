package dev.gmptrace.analyzer.read;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What all readers do: three threads share the work. One finds the pieces of the next generation in
 * the file and builds its tables, one decodes and orders the events of the present one, and the
 * caller's takes what is ordered.
 */
abstract class GenerationReader extends TraceReader {
  final LongAdder consumed = new LongAdder();
  private final List<TraceWarning> warnings = new ArrayList<>();
  private boolean used;
  private int generations;
  private long startTime;
  private long endTime;
  private @Nullable ClockSnapshot clock;
  private @Nullable TraceWarning damage;

  GenerationReader(TraceInfo info) {
    super(info);
  }

  abstract GenerationSource source();

  abstract Ordering ordering(UnaryOperator<EventBlock> exchange);

  @Override
  public final ReadResult read(EventSink sink) {
    if (used) {
      throw new IllegalStateException("a TraceReader reads once; open the trace again");
    }
    used = true;
    long events = new Pipeline().run(this::order, sink);
    if (damage != null) {
      warnings.add(damage);
    }
    return new ReadResult(events, generations, startTime, endTime, clock, damage, warnings);
  }

  private void order(UnaryOperator<EventBlock> exchange) {
    Ordering ordering = ordering(exchange);
    GenerationSource source = source();
    // One thread for all generations: a damaged file may have one every few bytes.
    ExecutorService scan =
        Executors.newSingleThreadExecutor(
            r -> Thread.ofPlatform().daemon().name("gmptrace-scan").unstarted(r));
    Future<Step> ahead = scan.submit(source::next);
    try {
      while (true) {
        Step step = get(ahead);
        warnings.addAll(step.warnings());
        if (!step.last()) {
          ahead = scan.submit(source::next);
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
        if (step.last()) {
          damage = step.damage();
          ordering.lastSync(info().size());
          break;
        }
      }
    } catch (DamageException e) {
      damage = e.warning();
    } finally {
      ahead.cancel(true);
      scan.shutdownNow();
    }
    warnings.addAll(ordering.warnings());
    endTime = ordering.context().lastTime();
    ordering.flush();
  }

  private static Step get(Future<Step> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw new IllegalStateException("finding the next generation failed", e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public final long position() {
    return Math.min(info().size(), HEADER_BYTES + consumed.sum());
  }
}

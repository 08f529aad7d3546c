package dev.gmptrace.analyzer.read;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets the ordering run ahead of the sink on a thread of its own: blocks of ordered events go one
 * way, empty blocks come back. There are only {@link #BLOCKS} of them, so neither side gets far
 * ahead, and nothing is allocated once they exist.
 */
final class Pipeline {
  private static final int BLOCKS = 6;

  private final BlockingQueue<EventBlock> full = new ArrayBlockingQueue<>(BLOCKS + 1);
  private final BlockingQueue<EventBlock> empty = new ArrayBlockingQueue<>(BLOCKS + 1);
  private final EventBlock end = new EventBlock();
  private int made = 1;
  private volatile @Nullable Throwable failure;

  /** Orders a trace, giving full blocks to the operator and getting empty ones back. */
  interface Producer {
    void run(UnaryOperator<EventBlock> exchange);
  }

  /** Thrown in the producer when the sink has given up. */
  private static final class Abandoned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Abandoned() {
      super(null, null, false, false);
    }
  }

  /** Runs the producer on another thread and the sink on this one; returns how many events came. */
  long run(Producer producer, EventSink sink) {
    Thread ordering =
        Thread.ofPlatform().daemon().name("gmptrace-ordering").start(() -> produce(producer));
    try {
      long events = consume(sink);
      Throwable t = failure;
      if (t instanceof RuntimeException e) {
        throw e;
      } else if (t instanceof Error e) {
        throw e;
      }
      return events;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading a trace", e);
    } finally {
      ordering.interrupt();
      join(ordering);
    }
  }

  private void produce(Producer producer) {
    try {
      producer.run(this::exchange);
    } catch (Abandoned e) {
      // The sink has its own exception to tell.
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      // There is always room for the end: one place more than there are blocks.
      full.offer(end);
    }
  }

  private EventBlock exchange(EventBlock ordered) {
    try {
      full.put(ordered);
      EventBlock next = empty.poll();
      if (next == null) {
        if (made < BLOCKS) {
          made++;
          return new EventBlock();
        }
        next = empty.take();
      }
      next.count = 0;
      return next;
    } catch (InterruptedException e) {
      throw new Abandoned();
    }
  }

  private long consume(EventSink sink) throws InterruptedException {
    TraceEvent event = new TraceEvent();
    long number = 0;
    while (true) {
      EventBlock block = full.take();
      if (block == end) {
        return number;
      }
      long[] rows = block.rows;
      int stop = block.count * TraceEvent.ROW;
      for (int at = 0; at < stop; at += TraceEvent.ROW) {
        event.moveTo(rows, at, number++);
        sink.event(event);
      }
      empty.add(block);
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One trace, from the moment its file is named until the viewer is closed. */
public final class TraceSession implements AutoCloseable {
  /** Where the session stands. */
  public sealed interface Status {}

  /**
   * The file is being read.
   *
   * @param step what is being done, for people
   * @param fraction how much is done, from 0 to 1
   * @param events events read so far
   */
  public record Reading(String step, double fraction, long events) implements Status {}

  /** Every question can be answered. */
  public record Ready(Trace trace) implements Status {}

  /**
   * The file could not be read.
   *
   * @param message the reason in one sentence
   */
  public record Failed(String message) implements Status {}

  private static final long LAST_ANSWER_MS = 300;
  private static final Logger LOG = LoggerFactory.getLogger(TraceSession.class);

  private final CountDownLatch settled = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);
  private volatile boolean watched;
  private volatile Status status = new Reading("opening", 0, 0);
  private volatile @Nullable Thread reader;

  private TraceSession() {}

  /** Begins to read {@code file} on a thread of its own. */
  public static TraceSession open(Path file) {
    TraceSession session = new TraceSession();
    session.start(() -> Trace.open(file, session::progress));
    return session;
  }

  /** A session that is reading until {@code open} returns; for tests. */
  static TraceSession reading(Supplier<Trace> open) {
    TraceSession session = new TraceSession();
    session.start(open);
    return session;
  }

  /** A session over a trace that is open already. */
  public static TraceSession of(Trace trace) {
    TraceSession session = new TraceSession();
    session.status = new Ready(trace);
    session.settled.countDown();
    return session;
  }

  private void start(Supplier<Trace> open) {
    reader = Thread.ofPlatform().daemon().name("gmptrace-read").start(() -> read(open));
  }

  private void read(Supplier<Trace> open) {
    try {
      status = new Ready(open.get());
    } catch (RuntimeException e) {
      LOG.debug("reading failed", e);
      String message = e.getMessage();
      status = new Failed(message == null ? e.toString() : message);
    } catch (OutOfMemoryError e) {
      status = new Failed("there is not enough memory for this trace; give the JVM more with -Xmx");
    } catch (Error e) {
      // A page that says "reading" for ever would be worse than an odd sentence.
      status = new Failed("a defect of gmptrace: " + e);
      throw e;
    } finally {
      reader = null;
      settled.countDown();
    }
  }

  private void progress(Progress.Phase phase, long done, long total, long events, long traceNs) {
    status =
        switch (phase) {
          case READING -> new Reading("reading", 0.9 * done / Math.max(1, total), events);
          case INDEXING -> new Reading("building the index", 0.9, events);
          case READY -> new Reading("building the index", 1, events);
        };
  }

  /** The current status; changes until it is ready or failed. */
  public Status status() {
    return status;
  }

  /** The status for a page, which is then known to be there and to have been told. */
  Status tell() {
    watched = true;
    Status now = status;
    if (now instanceof Failed) {
      told.countDown();
    }
    return now;
  }

  /**
   * Waits until a page has been told that reading failed, for as long as it may take a browser to
   * ask; not at all when none ever asked and none is expected.
   */
  public void awaitTold(boolean expected, Duration atMost) throws InterruptedException {
    if ((watched || expected) && told.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      // The answer is being written; the server must outlive it.
      TimeUnit.MILLISECONDS.sleep(LAST_ANSWER_MS);
    }
  }

  /** Waits until the trace is ready or has failed, and says which. */
  public Status awaitReady() throws InterruptedException {
    settled.await();
    return status;
  }

  /** Gives up reading; what is ready stays usable for requests that are still being answered. */
  @Override
  public void close() {
    Thread thread = reader;
    if (thread != null) {
      thread.interrupt();
    }
  }
}

package dev.gmptrace.viewer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** One trace, from the moment its file is named until the viewer is closed. */
public final class TraceSession implements AutoCloseable {
  /** Where the session stands. */
  public sealed interface Status {}

  /**
   * The file is being read.
   *
   * @param step what is being done, for people
   * @param fraction how much is done, from 0 to 1
   */
  public record Reading(String step, double fraction) implements Status {}

  /** Every question can be answered. */
  public record Ready() implements Status {}

  /**
   * The file could not be read.
   *
   * @param message the reason in one sentence
   */
  public record Failed(String message) implements Status {}

  private final Path trace;
  private volatile Status status = new Reading("opening", 0);

  private final CountDownLatch settled = new CountDownLatch(1);

  private TraceSession(Path trace) {
    this.trace = trace;
  }

  /** Begins to read {@code trace} on a thread of its own. */
  public static TraceSession open(Path trace) {
    TraceSession session = new TraceSession(trace);
    Thread.ofPlatform().daemon().name("gmptrace-read").start(session::read);
    return session;
  }

  private void read() {
    status =
        new Failed(
            Files.isReadable(trace)
                ? "there is no reader for " + trace.getFileName()
                : "cannot read " + trace);
    settled.countDown();
  }

  /** The current status; changes until it is ready or failed. */
  public Status status() {
    return status;
  }

  /** Waits until the trace is ready or has failed, and says which. */
  public Status awaitReady() throws InterruptedException {
    settled.await();
    return status;
  }

  @Override
  public void close() {}
}

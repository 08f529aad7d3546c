package dev.gmptrace.cli;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One line on standard error that says what a long piece of work is doing and how far it is. It
 * appears only on a terminal, only when the work has lasted a second and nothing was printed to the
 * same terminal for that long, at most ten times a second, and is gone when the work is done.
 *
 * <p>Reading tells how far it is; what follows it does not, so a thread draws the line again
 * meanwhile and shows how long it has taken.
 */
final class ProgressLine implements AutoCloseable {
  private static final long PERIOD = 100_000_000L;
  private static final String ERASE = "\r\u001b[K";

  private final Terminal terminal;
  private final PrintStream err;
  private final String file;
  private final long delay = Long.getLong("gmptrace.progress.delay", 1000) * 1_000_000L;
  private final @Nullable Thread ticker;

  // Under the monitor, except that update reads next without it: a line too many does no harm.
  private String phase;
  private long since = System.nanoTime();
  private volatile long next = since + delay;
  private long done;
  private long total;
  private long events;
  private boolean shown;
  private boolean closed;

  ProgressLine(Terminal terminal, String phase, Object file) {
    this.terminal = terminal;
    this.err = terminal.err();
    this.phase = phase;
    this.file = String.valueOf(file);
    if (terminal.errIsTerminal()) {
      ticker = Thread.ofPlatform().daemon().name("progress").unstarted(this::tick);
      terminal.progress(this);
      ticker.start();
    } else {
      ticker = null;
    }
  }

  private void tick() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(PERIOD);
      drawWhenDue();
    }
  }

  /** Another kind of work begins, of which nobody can say how far it is. */
  synchronized void phase(String name) {
    if (!name.equals(phase)) {
      phase = name;
      since = System.nanoTime();
      total = 0;
    }
  }

  /** Tells how much is done; cheap when it is not time to show it. */
  void update(long doneNow, long totalNow, long eventsNow) {
    if (ticker == null || System.nanoTime() - next < 0) {
      return;
    }
    synchronized (this) {
      done = doneNow;
      total = totalNow;
      events = eventsNow;
    }
    drawWhenDue();
  }

  private synchronized void drawWhenDue() {
    long now = System.nanoTime();
    if (closed || now - next < 0 || !terminal.atLineStart()) {
      return;
    }
    next = now + PERIOD;
    shown = true;
    err.print(ERASE + phase + " " + file + "  " + state(now));
    err.flush();
  }

  private String state(long now) {
    if (total <= 0) {
      return TimeUnit.NANOSECONDS.toSeconds(now - since) + " s";
    }
    int percent = (int) Math.min(100, done * 100.0 / total);
    int bar = percent / 5;
    return "[%s%s] %3d%%  %s events"
        .formatted("#".repeat(bar), ".".repeat(20 - bar), percent, Units.rough(events));
  }

  /** Something is about to be printed; the line stays away until that has paused for a second. */
  synchronized void giveWay() {
    clear();
    next = System.nanoTime() + delay;
  }

  /** Takes the line away, before something else is printed. */
  synchronized void clear() {
    if (shown) {
      err.print(ERASE);
      err.flush();
      shown = false;
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      clear();
      closed = true;
    }
    if (ticker != null) {
      ticker.interrupt();
    }
  }
}

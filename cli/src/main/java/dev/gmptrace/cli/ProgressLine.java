package dev.gmptrace.cli;

import java.io.PrintStream;

/**
 * One line on standard error that says how far a long piece of work is. It appears only on a
 * terminal, only when the work has lasted a second, at most ten times a second, and is gone when
 * the work is done.
 */
final class ProgressLine implements AutoCloseable {
  private static final long PERIOD = 100_000_000L;

  private final PrintStream err;
  private final boolean visible;
  private final String what;
  private final long start = System.nanoTime();
  private long next;
  private boolean shown;

  ProgressLine(Terminal terminal, String what) {
    err = terminal.err();
    visible = terminal.errIsTerminal();
    this.what = what;
    next = start + Long.getLong("gmptrace.progress.delay", 1000) * 1_000_000L;
  }

  /** Tells how much is done; cheap when it is not time to show it. */
  void update(long done, long total, long events) {
    if (!visible) {
      return;
    }
    long now = System.nanoTime();
    if (now - next < 0) {
      return;
    }
    next = now + PERIOD;
    shown = true;
    int percent = total <= 0 ? 0 : (int) Math.min(100, done * 100.0 / total);
    int bar = percent / 5;
    err.print(
        "\r\u001b[K%s  [%s%s] %3d%%  %s events"
            .formatted(what, "#".repeat(bar), ".".repeat(20 - bar), percent, Units.rough(events)));
    err.flush();
  }

  @Override
  public void close() {
    clear();
  }

  /** Takes the line away, before something else is printed. */
  void clear() {
    if (shown) {
      err.print("\r\u001b[K");
      err.flush();
      shown = false;
    }
  }
}

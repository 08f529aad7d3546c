package dev.gmptrace.cli;

import java.util.function.IntSupplier;

/**
 * For commands that go on until Ctrl-C: being told to stop is then how they end, so not with the
 * 130 of a killed program. While it is open, a signal to end runs {@code finish} and ends the
 * process with the exit code that it gives.
 */
final class CtrlC implements AutoCloseable {
  private final Thread hook;

  CtrlC(IntSupplier finish) {
    hook = new Thread(() -> Runtime.getRuntime().halt(finish.getAsInt()), "ctrl-c");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The command ends by itself, and how is its own affair. */
  @Override
  public void close() {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Already going down: the hook does its work.
    }
  }
}

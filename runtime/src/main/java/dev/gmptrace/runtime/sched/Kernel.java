package dev.gmptrace.runtime.sched;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the operating system knows of our threads. On Linux from /proc; elsewhere nothing. */
final class Kernel {
  private static final Path THREAD_SELF = Path.of("/proc/thread-self");
  private static final boolean LINUX = Files.isSymbolicLink(THREAD_SELF);

  private Kernel() {}

  /** The kernel's id of the calling platform thread; 0 when unknown. */
  static int currentTid() {
    if (!LINUX) {
      return 0;
    }
    try {
      return Integer.parseInt(Files.readSymbolicLink(THREAD_SELF).getFileName().toString());
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}

package dev.gmptrace.runtime.sched;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  /**
   * Asks the kernel to end the calling thread's sleeps on time, where it may else be 50 us late to
   * save a wake-up: much for a sleep of 20.
   */
  static void sleepExactly() {
    int tid = currentTid();
    if (tid == 0) {
      return;
    }
    try {
      Files.writeString(Path.of("/proc/" + tid + "/timerslack_ns"), "1");
    } catch (IOException e) {
      // An old kernel, or one that does not let us: then sleeps are a little long.
    }
  }

  /**
   * How often a thread has been switched out, if it is asleep right now; -1 when it is not, or when
   * that cannot be found out. Two equal answers mean that it did not run in between: to run and to
   * sleep again it would have been switched out once more.
   */
  static long switchesIfAsleep(int tid) {
    if (!LINUX || tid == 0) {
      return -1;
    }
    String status;
    try {
      status =
          Files.readString(
              Path.of("/proc/self/task/" + tid + "/status"), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return -1; // the thread has ended
    }
    int state = status.indexOf("\nState:\t");
    if (state < 0) {
      return -1;
    }
    char c = status.charAt(state + 8);
    if (c != 'S' && c != 'D') {
      return -1;
    }
    long voluntary = number(status, "\nvoluntary_ctxt_switches:\t");
    long involuntary = number(status, "\nnonvoluntary_ctxt_switches:\t");
    return voluntary < 0 || involuntary < 0 ? -1 : voluntary + involuntary;
  }

  private static long number(String text, String label) {
    int at = text.indexOf(label);
    if (at < 0) {
      return -1;
    }
    int from = at + label.length();
    int to = text.indexOf('\n', from);
    return Long.parseLong(text.substring(from, to < 0 ? text.length() : to).strip());
  }
}

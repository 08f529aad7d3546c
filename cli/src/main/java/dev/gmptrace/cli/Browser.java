package dev.gmptrace.cli;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Opens a page in the user's browser when there is a user with a screen: the output is a terminal,
 * and the desktop's own opener (or {@code $BROWSER}) is there. AWT could do the same for 200 ms of
 * start-up and a window server.
 */
final class Browser {
  private Browser() {}

  /** Whether there is one that has been asked to open the page. */
  static boolean open(Terminal terminal, String url) {
    String opener = terminal.outIsTerminal() ? opener(terminal) : null;
    if (opener == null) {
      return false;
    }
    try {
      new ProcessBuilder(List.of(opener, url))
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException e) {
      // The address is on the screen; opening it was only a kindness.
      return false;
    }
  }

  private static @Nullable String opener(Terminal terminal) {
    String own = terminal.env("BROWSER");
    if (!own.isEmpty()) {
      return own;
    }
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac")) {
      return "open";
    }
    boolean screen =
        !terminal.env("DISPLAY").isEmpty() || !terminal.env("WAYLAND_DISPLAY").isEmpty();
    return screen && onPath(terminal, "xdg-open") ? "xdg-open" : null;
  }

  private static boolean onPath(Terminal terminal, String program) {
    for (String dir : terminal.env("PATH").split(File.pathSeparator, -1)) {
      if (!dir.isEmpty() && new File(dir, program).canExecute()) {
        return true;
      }
    }
    return false;
  }
}

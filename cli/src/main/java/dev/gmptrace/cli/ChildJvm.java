package dev.gmptrace.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that runs in a process of its own, with tracing switched on by its environment. */
final class ChildJvm {
  /** What the scheduler needs of a JVM; the launcher starts ours with the same. */
  static final List<String> OPTIONS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--enable-native-access=ALL-UNNAMED");

  private ChildJvm() {}

  /** The command that runs a class of our own in a fresh JVM. */
  static List<String> ownClass(String mainClass, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(OPTIONS);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /**
   * Runs a command on our own streams to its end and returns its exit code. When {@code seconds} is
   * not 0, it is asked to end after that time, as by Ctrl-C, and made to five seconds later.
   *
   * <p>Ctrl-C on the terminal reaches the child by itself; should we be ended otherwise, the child
   * goes with us, and we not before it has, or it would go on writing after the prompt.
   */
  static int run(
      Terminal terminal, List<String> command, Map<String, String> environment, double seconds)
      throws InterruptedException {
    var builder = new ProcessBuilder(command);
    if (terminal.ownStreams()) {
      builder.inheritIO();
    }
    builder.environment().putAll(environment);
    Process child;
    try {
      child = builder.start();
    } catch (IOException e) {
      throw CliException.usage("cannot run '" + command.getFirst() + "': " + reason(e));
    }
    Thread output = copy(terminal, child.getInputStream(), terminal.out());
    Thread errors = copy(terminal, child.getErrorStream(), terminal.err());
    try {
      return await(child, seconds);
    } finally {
      output.join();
      errors.join();
    }
  }

  /** What an inheriting child writes does not come this way, and its stream is empty. */
  private static Thread copy(Terminal terminal, InputStream from, OutputStream to) {
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            from.transferTo(to);
            to.flush();
          } catch (IOException e) {
            terminal.complain("gmptrace", "output of the program is lost: " + e.getMessage());
          }
        });
  }

  private static int await(Process child, double seconds) throws InterruptedException {
    Thread hook = new Thread(() -> end(child), "end-child");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      if (seconds > 0 && !child.waitFor((long) (seconds * 1e3), TimeUnit.MILLISECONDS)) {
        end(child);
        child.waitFor();
        return 0;
      }
      return child.waitFor();
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // Already going down: the hook does its work.
      }
    }
  }

  private static void end(Process child) {
    child.destroy();
    try {
      if (child.waitFor(5, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    child.destroyForcibly();
  }

  private static String reason(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("No such file") || message.contains("error=2,")
        ? "no such program"
        : message.replaceFirst("^Cannot run program \"[^\"]*\": ", "");
  }
}

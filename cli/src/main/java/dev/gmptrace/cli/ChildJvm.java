package dev.gmptrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A program that runs in a process of its own, with tracing switched on by its environment. */
final class ChildJvm {
  /** What the scheduler needs of a JVM; the launcher starts ours with the same. */
  static final List<String> OPTIONS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--enable-native-access=ALL-UNNAMED");

  /** A JVM that ends writes the rest of its trace, which takes a while on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private ChildJvm() {}

  /** The {@code java} that runs this command. */
  static String ownJava() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The command that runs a class of our own in a fresh JVM. */
  static List<String> ownClass(String mainClass, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(ownJava());
    command.addAll(OPTIONS);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /**
   * Runs a command on our own streams to its end and returns its exit code. When {@code seconds} is
   * not 0, it is asked to end after that time, as by Ctrl-C, and made to {@link #PATIENCE} later.
   * So are the programs that it has started: the command may be a script around a JVM.
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
    // Before anything is ended: who has lost its parent is nobody's descendant any more.
    List<ProcessHandle> all =
        Stream.concat(Stream.of(child.toHandle()), child.descendants()).toList();
    all.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (ProcessHandle process : all) {
      try {
        process.onExit().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        process.destroyForcibly();
      }
    }
  }

  private static String reason(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("No such file") || message.contains("error=2,")
        ? "no such program"
        : message.replaceFirst("^Cannot run program \"[^\"]*\": ", "");
  }
}

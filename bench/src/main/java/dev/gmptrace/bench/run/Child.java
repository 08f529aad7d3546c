package dev.gmptrace.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs a command to its end, within a time limit, and keeps what it printed. */
public final class Child {
  /**
   * What became of it.
   *
   * @param millis from before the start to after the end
   */
  public record Outcome(int exitCode, List<String> output, List<String> errors, double millis) {
    /** The line that says why it failed, as well as one can tell. */
    public String reason() {
      return exitCode == TIMED_OUT
          ? "not done in time"
          : "exit code " + exitCode + ": " + tellingLine(errors);
    }
  }

  private static final Pattern CHATTER =
      Pattern.compile(
          "^\\s*(WARNING: |.* VM warning: |Picked up |NOTE: |\\[warning]|at |\\.{3} ).*");
  private static final Pattern TELLING =
      Pattern.compile(".*(Exception|Error\\b|\\berror:|^panic:|^fatal|^worker:|^gobench:).*");

  /** The first that speaks of an error, else the first that is no mere warning. */
  static String tellingLine(List<String> errors) {
    List<String> said =
        errors.stream().filter(l -> !l.isBlank() && !CHATTER.matcher(l).matches()).toList();
    return said.stream()
        .filter(l -> TELLING.matcher(l).matches())
        .findFirst()
        .or(() -> said.stream().findFirst())
        .or(() -> errors.stream().filter(l -> !l.isBlank()).findFirst())
        .orElse("no message");
  }

  /** The exit code of a command that was still running when its time was over. */
  public static final int TIMED_OUT = -1;

  private Child() {}

  /** Runs it in {@code directory} with variables added to the environment. */
  public static Outcome run(
      List<String> command, Path directory, Map<String, String> environment, int seconds)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("gmptrace-bench", ".out");
    Path err = Files.createTempFile("gmptrace-bench", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      long begin = System.nanoTime();
      Process process = builder.start();
      Thread guard = new Thread(() -> destroy(process));
      Runtime.getRuntime().addShutdownHook(guard);
      boolean done;
      try {
        done = process.waitFor(seconds, TimeUnit.SECONDS);
      } finally {
        destroy(process);
        Runtime.getRuntime().removeShutdownHook(guard);
      }
      double millis = (System.nanoTime() - begin) / 1e6;
      return new Outcome(
          done ? process.exitValue() : TIMED_OUT,
          Files.readAllLines(out),
          Files.readAllLines(err),
          millis);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static void destroy(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}

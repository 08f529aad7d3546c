package dev.gmptrace.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A program of ours in a process of its own, whose output can be read while it runs. */
final class CliProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Path err;

  private CliProcess(Process process, Path err) {
    this.process = process;
    this.err = err;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The command {@code gmptrace} with arguments; {@code dir} is for what it complains about. */
  static CliProcess gmptrace(Path dir, Object... args) throws IOException {
    return start(dir, Map.of(), "dev.gmptrace.cli.Main", args);
  }

  static CliProcess start(Path dir, Map<String, String> env, String mainClass, Object... args)
      throws IOException {
    var command = new ArrayList<String>();
    // A test that was started in the background ignores SIGINT, and its children would inherit it.
    command.addAll(List.of("env", "--default-signal=INT"));
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(ChildJvm.OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    Path err = Files.createTempFile(dir, "err", ".txt");
    var builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().putAll(env);
    return new CliProcess(builder.start(), err);
  }

  /** The next line of standard output, or null at its end. */
  String line() throws IOException {
    return out.readLine();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What Ctrl-C does. */
  void interrupt() throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor();
    if (code != 0) {
      throw new IOException("kill ended with " + code);
    }
  }

  /** Closes its standard input. */
  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Its exit code. A test that uses this has a time limit of its own. */
  int await() throws InterruptedException {
    return process.waitFor();
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

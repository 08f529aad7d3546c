package dev.gmptrace.runtime.sched;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A JVM of its own for a program of a test. It does not outlive the test. */
final class Child {
  private Child() {}

  /** How it ended and what it printed, without what the JVM itself may have to say. */
  record Ran(int exit, String output) {}

  /** What the test does while it runs. */
  interface Meanwhile {
    void act(Process process) throws IOException, InterruptedException;
  }

  /** Runs {@code main} with the class path of this JVM. */
  static Ran run(List<String> options, Class<?> main, List<String> args, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(args);
    return run(new ProcessBuilder(command), meanwhile);
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The output goes by a file: to wait for the end can be interrupted, to read a pipe cannot. */
  static Ran run(ProcessBuilder builder, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("child-", ".txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      meanwhile.act(process);
      int exit = process.waitFor();
      String text =
          Files.readString(output)
              .lines()
              .filter(line -> !line.contains("VM warning:") && !line.startsWith("Picked up "))
              .filter(line -> !line.startsWith("WARNING: "))
              .map(line -> line + "\n")
              .collect(Collectors.joining());
      return new Ran(exit, text);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}

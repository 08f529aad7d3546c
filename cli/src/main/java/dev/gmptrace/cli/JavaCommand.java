package dev.gmptrace.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that runs somebody's program on the runtime. */
final class JavaCommand {
  /** The runtime and what it links. The program shall not see the jars of the command itself. */
  private static final List<String> LINKED =
      List.of("gmptrace-runtime-", "gmptrace-tracer-", "jctools-", "protobuf-java-");

  private JavaCommand() {}

  /**
   * A command as it was given, except that a Java source file in its first place is run by this JDK
   * with the runtime on its class path, and after it whatever {@code classpath} names; and that a
   * plain {@code java} is this JDK's, since the first one on the PATH may be too old.
   */
  static List<String> of(List<String> words, String classpath) {
    if (words.getFirst().equals("java")) {
      var command = new ArrayList<>(words);
      command.set(0, ChildJvm.ownJava());
      return command;
    }
    if (!isSource(words)) {
      return words;
    }
    var path = new ArrayList<String>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (isLinked(Path.of(entry))) {
        path.add(entry);
      }
    }
    if (!classpath.isEmpty()) {
      path.add(classpath);
    }
    var command = new ArrayList<String>();
    command.add(ChildJvm.ownJava());
    command.addAll(ChildJvm.OPTIONS);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, path));
    command.addAll(words);
    return command;
  }

  static boolean isSource(List<String> words) {
    return words.getFirst().endsWith(".java");
  }

  /** A folder of classes is a module that has not been packed yet. */
  private static boolean isLinked(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return Files.isDirectory(entry) || LINKED.stream().anyMatch(name::startsWith);
  }
}

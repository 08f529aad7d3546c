package dev.gmptrace.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Runs the command inside the test's own JVM and keeps what it printed. */
final class Cli {
  /** The Go traces that the analyzer's tests use. */
  static final Path GO_TRACES = Path.of("../analyzer/src/test/resources/go-traces");

  private final Map<String, String> env = new HashMap<>();
  private boolean outIsTerminal;
  private boolean errIsTerminal;

  /** What a run left behind. */
  record Result(int code, String out, String err) {
    String all() {
      return "exit code " + code + "\n--- stdout\n" + out + "--- stderr\n" + err;
    }
  }

  static Result run(Object... args) {
    return new Cli().with(args);
  }

  static String goTrace(String name) {
    return GO_TRACES.resolve(name + ".trace").toString();
  }

  Cli env(String name, String value) {
    env.put(name, value);
    return this;
  }

  Cli terminal(boolean out, boolean err) {
    outIsTerminal = out;
    errIsTerminal = err;
    return this;
  }

  Result with(Object... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    int code = Main.run(new Terminal(out, err, outIsTerminal, errIsTerminal, env), texts);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}

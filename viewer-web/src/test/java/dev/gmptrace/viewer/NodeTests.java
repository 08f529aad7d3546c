package dev.gmptrace.viewer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.AssertionFailedError;

/** Runs tests written for {@code node --test} and gives each of them a name in JUnit. */
final class NodeTests {
  private static final Pattern RESULT = Pattern.compile("^\\s*(not )?ok \\d+ - (.*?)(?: # (.*))?$");
  private static final long TIMEOUT_MINUTES = 10;

  private NodeTests() {}

  static List<DynamicTest> run(String suite, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path module = Files.isDirectory(Path.of("src/main/web")) ? Path.of("") : Path.of("viewer-web");
    Path output = module.resolve("target/web-test-" + suite).toAbsolutePath();
    Files.createDirectories(output);
    Path log = output.resolveSibling("web-test-" + suite + ".tap");
    ProcessBuilder builder =
        new ProcessBuilder(
            "node",
            module.resolve("src/main/web/build.mjs").toAbsolutePath().toString(),
            "test",
            output.toString(),
            suite);
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionFailedError("The " + suite + " tests hang; see " + log);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    List<DynamicTest> tests = parse(Files.readAllLines(log, StandardCharsets.UTF_8));
    int status = process.exitValue();
    if (tests.isEmpty()) {
      throw new AssertionFailedError(
          "The " + suite + " tests did not run:\n" + Files.readString(log));
    }
    tests.add(
        DynamicTest.dynamicTest(
            "all of them ran", () -> assertEquals(0, status, () -> "see " + log)));
    return tests;
  }

  private static List<DynamicTest> parse(List<String> lines) {
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher result = RESULT.matcher(lines.get(i));
      if (result.matches() && !result.group(2).endsWith(".mjs")) {
        boolean failed = result.group(1) != null;
        String why = failed ? explanation(lines, i + 1) : "";
        tests.add(
            DynamicTest.dynamicTest(
                result.group(2),
                () -> {
                  if (failed) {
                    throw new AssertionFailedError(why);
                  }
                }));
      }
    }
    return tests;
  }

  /** The YAML block that follows a failed test. */
  private static String explanation(List<String> lines, int from) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < lines.size() && !lines.get(i).strip().equals("..."); i++) {
      text.append(lines.get(i)).append('\n');
    }
    return text.toString();
  }
}

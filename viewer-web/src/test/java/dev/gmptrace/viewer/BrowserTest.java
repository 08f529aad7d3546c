package dev.gmptrace.viewer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser. The servers run here, the tests in Node (test/browser), which is told
 * where the servers are.
 */
class BrowserTest {
  private static final long SEED = Long.getLong("gmptrace.seed", 42);

  @TempDir static Path directory;

  @TestFactory
  List<DynamicTest> page() throws Exception {
    Optional<Path> browser = browser();
    if (browser.isEmpty()) {
      System.err.println(
          "SKIPPED: no Chromium or Chrome found, the page is not tested (set GMPTRACE_BROWSER)");
    }
    assumeTrue(browser.isPresent(), "no Chromium or Chrome found; set GMPTRACE_BROWSER");
    System.out.println("synthetic trace with -Dgmptrace.seed=" + SEED);
    Path big = directory.resolve("million.bin");
    SyntheticTrace.write(big, 4, 100_000, 80_000, SEED);
    Map<String, Viewer> viewers = new LinkedHashMap<>();
    try {
      viewers.put("web", view(TestTraces.golden("web-go1.27.trace")));
      viewers.put("blocking", view(TestTraces.golden("blocking-go1.26.trace")));
      viewers.put("empty", view(TestTraces.golden("idle-go1.26.trace")));
      viewers.put("cut", view(TestTraces.cut("flight-go1.25.trace", 0.9, directory)));
      viewers.put("broken", view(Files.writeString(directory.resolve("notes.txt"), "no trace")));
      viewers.put("big", view(big));
      for (Viewer viewer : viewers.values()) {
        viewer.session().awaitReady();
      }
      String urls =
          viewers.entrySet().stream()
              .map(e -> e.getKey() + "=" + e.getValue().url())
              .collect(Collectors.joining(" "));
      return NodeTests.run(
          "browser", Map.of("GMPTRACE_BROWSER", browser.get().toString(), "GMPTRACE_URLS", urls));
    } finally {
      viewers.values().forEach(Viewer::close);
    }
  }

  private static Viewer view(Path trace) {
    return Viewer.start(ListenAddress.loopback(), trace);
  }

  private static Optional<Path> browser() {
    String named = System.getenv("GMPTRACE_BROWSER");
    return Stream.of(
            named == null ? "" : named,
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
        .filter(s -> !s.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }
}

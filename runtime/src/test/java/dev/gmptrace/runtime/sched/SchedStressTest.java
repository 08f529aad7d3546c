package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link SchedStress} in JVMs of its own: for a short time, or a long one with {@code
 * -Dgmptrace.stress=long}. The right protocols pass, and every broken twin is seen to fail.
 */
@Timeout(900)
class SchedStressTest {
  private static final boolean LONG = "long".equals(System.getProperty("gmptrace.stress"));
  private static final Pattern FAILED = Pattern.compile("\\[FAILED\\] \\S*SchedStress\\.(\\w+)");

  @Test
  void rightProtocolsPassAndBrokenTwinsFail(@TempDir Path directory) throws Exception {
    String report = jcstress("SchedStress", directory);
    TreeSet<String> failed = new TreeSet<>();
    Matcher m = FAILED.matcher(report);
    while (m.find()) {
      failed.add(m.group(1));
    }
    assertEquals(
        List.of("BrokenIdle", "BrokenNote", "BrokenRing", "BrokenRunnext"),
        List.copyOf(failed),
        report);
    assertTrue(report.contains("4 passed, 4 failed, 0 soft errs, 0 hard errs"), report);
  }

  private static String jcstress(String test, Path directory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-t", test, "-r", directory.toString()));
    command.addAll(List.of("-f", "1", "-af", "NONE", "-sc", "false", "-c", "2"));
    command.addAll(
        LONG
            ? List.of("-m", "default")
            : List.of("-iters", "4", "-time", "200", "-jvmArgs", "-XX:-TieredCompilation"));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}

package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link SchedStress} in JVMs of its own: for a short time, or a long one with {@code
 * -Dgmptrace.stress=long}. On the real classes all pass; on twins with one instruction weakened
 * each is seen to fail.
 */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedStressTest {
  private static final boolean LONG = "long".equals(System.getProperty("gmptrace.stress"));
  private static final Pattern FAILED = Pattern.compile("\\[FAILED\\] \\S*SchedStress\\.(\\w+)");
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(4);
  private static final List<String> SHORT =
      List.of("-iters", "3", "-time", "200", "-jvmArgs", "-XX:-TieredCompilation");

  /** A sleeper whose signal is lost should not wait for a whole second each time. */
  private static final List<String> TWIN =
      List.of(
          "-iters",
          "3",
          "-time",
          "200",
          "-jvmArgs",
          "-XX:-TieredCompilation -Dgmptrace.stress.patience=5");

  @TempDir Path directory;

  @Test
  void protocolsHold() throws Exception {
    String report = jcstress("SchedStress", "", LONG ? List.of("-m", "default") : SHORT);
    assertTrue(report.contains("6 passed, 0 failed, 0 soft errs, 0 hard errs"), report);
  }

  /** The head of the ring, runnext and the note changed by a store, whatever is there. */
  @Test
  void withAStoreInPlaceOfACasTheyFail() throws Exception {
    Mutant.write(directory, RunQueue.class, "getRing", "compareAndSet", "store");
    Mutant.write(directory, RunQueue.class, "getNext", "compareAndSet", "store");
    Mutant.write(directory, Note.class, "announce", "compareAndSet", "store");
    fail("Ring", "Runnext", "ParkNote");
  }

  /** The CAS by which a thief takes half a ring, and the exchange by which a note is signalled. */
  @Test
  void withAStoreThievesDoubleAndWakersForget() throws Exception {
    Mutant.write(directory, RunQueue.class, "grab", "compareAndSet", "store");
    Mutant.write(directory, Note.class, "wakeup", "getAndSet", "blind");
    fail("Thieves", "ParkNote");
  }

  /** Without the last look at the queues, a G that was put meanwhile waits for ever. */
  @Test
  void withoutTheLastLookAWakeUpIsLost() throws Exception {
    Mutant.write(directory, FindRunnable.class, "giveUp", "recheck", "noLastLook");
    fail("IdleList");
  }

  /** Without the full barrier after a put, producer and idler miss each other. */
  @Test
  void withAReleaseInPlaceOfTheBarrierAWakeUpIsLost() throws Exception {
    Mutant.write(directory, RunQueue.class, "put", "getAndSet", "release");
    fail("Idle");
  }

  /** All of them, within some time: whether a race is seen is a matter of chance. */
  private void fail(String... tests) throws Exception {
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1,
        "on one CPU two instructions are never at the same moment");
    long begin = System.nanoTime();
    TreeSet<String> missing = new TreeSet<>(List.of(tests));
    String report = "";
    while (!missing.isEmpty() && System.nanoTime() - begin < PATIENCE) {
      report =
          jcstress(
              "SchedStress\\.(" + String.join("|", missing) + ")$", directory.toString(), TWIN);
      Matcher m = FAILED.matcher(report);
      while (m.find()) {
        missing.remove(m.group(1));
      }
    }
    assertEquals(List.of(), List.copyOf(missing), report);
  }

  private String jcstress(String tests, String before, List<String> effort)
      throws IOException, InterruptedException {
    String classPath = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>();
    command.add(Child.java());
    command.add("-cp");
    command.add(before.isEmpty() ? classPath : before + File.pathSeparator + classPath);
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-t", tests, "-r", directory.toString()));
    command.addAll(List.of("-jvmArgsPrepend", "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-f", "1", "-af", "NONE", "-sc", "false", "-c", "2"));
    command.addAll(effort);
    return Child.run(new ProcessBuilder(command).directory(directory.toFile()), process -> {})
        .output();
  }
}

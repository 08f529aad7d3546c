package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Go;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The deadlock report, in JVMs of its own: in this one there are threads of the test runner, and
 * whoever has other threads is never told of a deadlock.
 */
@Timeout(120)
class DeadlockTest {
  /** Programs to run. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
      switch (args[0]) {
        case "dead" ->
            Go.run(() -> {
              Go.go(() -> new ParkTest.Slot().receive());
              new ParkTest.Slot().send(1);
            });
        case "timer" ->
            Go.run(() -> {
              Go.sleep(Duration.ofMillis(700));
              System.out.println("slept");
            });
        case "thread" -> {
          ParkTest.Slot slot = new ParkTest.Slot();
          Thread other =
              new Thread(() -> {
                try {
                  Thread.sleep(700);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                Go.call(() -> slot.send("from outside"));
              });
          other.start();
          Go.run(() -> System.out.println(slot.receive()));
          other.join();
        }
        case "jdk" ->
            Go.run(() -> {
              Thread me = Thread.currentThread();
              Thread.ofPlatform()
                  .daemon()
                  .start(() -> {
                    try {
                      Thread.sleep(700);
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    LockSupport.unpark(me);
                  });
              LockSupport.park();
              System.out.println("unparked");
            });
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private record Ran(int exit, String output) {}

  private static Ran run(String program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Main.class.getName(), program));
    Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(p.waitFor(), out);
  }

  @Test
  void allAsleepIsReportedWithEveryGoroutine() throws Exception {
    Ran r = run("dead");
    assertNotEquals(0, r.exit(), r.output());
    assertTrue(
        r.output().startsWith("fatal error: all goroutines are asleep - deadlock!\n\n"),
        r.output());
    assertTrue(r.output().contains("goroutine 1 [chan send]:\n"), r.output());
    assertTrue(r.output().contains(" [chan receive]:\n"), r.output());
    assertTrue(r.output().contains("ParkTest$Slot.receive"), r.output());
  }

  @Test
  void timerIsNoDeadlock() throws Exception {
    assertEquals(new Ran(0, "slept\n"), run("timer"));
  }

  @Test
  void threadThatMightHelpIsNoDeadlock() throws Exception {
    assertEquals(new Ran(0, "from outside\n"), run("thread"));
  }

  @Test
  void jdkParkIsNoDeadlock() throws Exception {
    Ran r = run("jdk");
    assertEquals(new Ran(0, "unparked\n"), r);
    assertFalse(r.output().contains("deadlock"));
  }
}

package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Select;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
        case "helpers" ->
            Go.run(() -> {
              SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
              for (int i = 0; i < ROUNDS; i++) {
                for (Helper helper : Helper.values()) {
                  // Around the moment between the two looks of the search for deadlocks.
                  helper.comeBackIn(Duration.ofNanos(9_000_000 + random.nextInt(8_000_000)));
                }
              }
              System.out.println("all came back");
              Chan.<Integer>make().receive();
            });
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private static final int ROUNDS = 8;

  /** Those who may wake a goroutine while all others sleep; each lets nothing run for a while. */
  enum Helper {
    TIMER {
      @Override
      void comeBackIn(Duration time) {
        Go.sleep(time);
      }
    },
    AFTER_FUNC {
      @Override
      void comeBackIn(Duration time) {
        Chan<Integer> c = Chan.make();
        var _ = Go.afterFunc(time, () -> c.send(1));
        c.receive();
      }
    },
    SELECT_TIMEOUT {
      @Override
      void comeBackIn(Duration time) {
        Select.Case _ = new Select().await(time);
      }
    },
    SYSCALL {
      @Override
      void comeBackIn(Duration time) {
        Chan<Integer> c = Chan.make();
        Go.go(() -> {
          Syscalls.entersyscall();
          Jdk.sleepCarrier(time.toNanos());
          Syscalls.exitsyscall();
          c.send(1);
        });
        c.receive();
      }
    },
    UNANNOUNCED {
      @Override
      void comeBackIn(Duration time) {
        Chan<Integer> c = Chan.make();
        Go.go(() -> {
          Jdk.sleepCarrier(time.toNanos());
          c.send(1);
        });
        c.receive();
      }
    },
    NETWORK {
      @Override
      void comeBackIn(Duration time) {
        try (Listener l = Net.listen("127.0.0.1:0")) {
          Go.go(() -> {
            try (Conn c = Net.dial(l.address())) {
              Go.sleep(time);
              c.write(new byte[] {1});
            }
          });
          try (Conn c = l.accept()) {
            c.read(new byte[1]);
          }
        }
      }
    },
    FOREIGN_THREAD {
      @Override
      void comeBackIn(Duration time) {
        Chan<Integer> c = Chan.make();
        Sched s = Go.sched();
        Thread.ofPlatform()
            .start(() -> {
              LockSupport.parkNanos(time.toNanos());
              Foreign.call(s, () -> c.send(1));
            });
        c.receive();
      }
    },
    JDK_PARK {
      @Override
      void comeBackIn(Duration time) {
        Chan<Integer> c = Chan.make();
        Go.go(() -> {
          LockSupport.parkNanos(time.toNanos());
          c.send(1);
        });
        c.receive();
      }
    };

    /** Waits until it is woken in {@code time} or so. */
    abstract void comeBackIn(Duration time);
  }

  private record Ran(int exit, String output) {}

  private static Ran run(String... program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(List.of(program));
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

  /** With each kind of helper nothing is reported; without any, in the same program, at once. */
  @Test
  void whoeverMayStillComeIsWaitedFor() throws Exception {
    Ran r = run("helpers", String.valueOf(Seed.of("whoeverMayStillComeIsWaitedFor")));
    assertTrue(
        r.output()
            .startsWith("all came back\nfatal error: all goroutines are asleep - deadlock!\n"),
        r.output());
    assertNotEquals(0, r.exit());
  }

  /**
   * Between the return of main and the moment its caller notices, the goroutines that are left are
   * all asleep, and on a busy machine that moment can be long.
   */
  @Test
  void goroutinesThatMainLeftBehindAreNoDeadlock() {
    Sched s = new Sched(SchedOptions.defaults().withProcs(1));
    try {
      MainRun main = new MainRun(s, () -> {});
      s.mainRuns.put(Thread.currentThread(), main);
      NewProc.newproc(s, () -> new ParkTest.Slot().receive(), "left");
      Deadlock deadlock = new Deadlock(s);
      // The twin: while main has not returned, a sleeper is looked at again and again.
      while (deadlock.look() != Deadlock.AGAIN) {
        Thread.onSpinWait();
      }
      main.run();
      assertEquals(Deadlock.AT_MOST, deadlock.look());
    } finally {
      s.mainRuns.clear();
      s.shutdown();
    }
  }
}

package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Select;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The deadlock report, in JVMs of its own: in this one there are threads of the test runner, and
 * whoever has other threads is never told of a deadlock.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
        case "scheduler" -> {
          Chan<String> c = Chan.make();
          Sched other = new Sched(SchedOptions.defaults().withName("other").withProcs(1));
          if (args[1].equals("goroutine")) {
            G _ =
                other.go(() -> {
                  Go.sleep(LONG);
                  c.send("from another scheduler");
                });
          } else {
            new Timer(
                    other,
                    (arg, seq, now) -> other.go(() -> c.send("from another scheduler")),
                    null)
                .start(LONG.toNanos());
          }
          Go.run(() -> System.out.println(c.take()));
        }
        case "process" -> {
          WaitGroup wg = new WaitGroup();
          wg.add(1);
          try {
            var _ = new ProcessBuilder("sleep", "2").start().onExit().thenRun(wg::done);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          Go.run(() -> {
            wg.await();
            System.out.println("process ended");
          });
        }
        case "hook" -> {
          Chan<String> c = Chan.make();
          Thread end =
              new Thread(() -> {
                c.send("the end");
                while (!ended) {
                  Thread.onSpinWait();
                }
              });
          Runtime.getRuntime().addShutdownHook(end);
          System.out.println("waits");
          Go.run(() -> {
            System.out.println(c.take());
            ended = true;
          });
        }
        case "signal" -> {
          Chan<String> c = Chan.make();
          onUsr2(() -> c.send("signal"));
          System.out.println("waits");
          Go.run(() -> System.out.println(c.take()));
        }
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

  /** Long enough for a report, were there one; nothing depends on it otherwise. */
  private static final Duration LONG = Duration.ofMillis(1500);

  private static final int ROUNDS = 8;
  private static volatile boolean ended;

  /** {@code sun.misc.Signal.handle}, which the compiler would warn of. */
  private static void onUsr2(Runnable handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              DeadlockTest.class.getClassLoader(),
              new Class<?>[] {type},
              (self, method, args) -> {
                handler.run();
                return null;
              });
      Object _ =
          signal
              .getMethod("handle", signal, type)
              .invoke(null, signal.getConstructor(String.class).newInstance("USR2"), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

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

  private static Child.Ran run(String... program) throws IOException, InterruptedException {
    return Child.run(List.of(), Main.class, List.of(program), process -> {});
  }

  /** When the program has said that it waits, and a report has had the time to come: a signal. */
  private static Child.Ran runAndSignal(String signal, String program) throws Exception {
    return Child.run(
        List.of(),
        Main.class,
        List.of(program),
        process -> {
          Thread.sleep(2 * LONG.toMillis());
          int _ = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
        });
  }

  @Test
  void allAsleepIsReportedWithEveryGoroutine() throws Exception {
    Child.Ran r = run("dead");
    assertNotEquals(0, r.exit(), r.output());
    assertTrue(
        r.output().startsWith("fatal error: all goroutines are asleep - deadlock!\n\n"),
        r.output());
    assertTrue(r.output().contains("goroutine 1 [chan send]:\n"), r.output());
    assertTrue(r.output().contains(" [chan receive]:\n"), r.output());
    assertTrue(r.output().contains("ParkTest$Slot.receive"), r.output());
    assertTrue(r.output().contains("created by goroutine 1 as "), r.output());
  }

  @Test
  void timerIsNoDeadlock() throws Exception {
    assertEquals(new Child.Ran(0, "slept\n"), run("timer"));
  }

  @Test
  void threadThatMightHelpIsNoDeadlock() throws Exception {
    assertEquals(new Child.Ran(0, "from outside\n"), run("thread"));
  }

  @Test
  void jdkParkIsNoDeadlock() throws Exception {
    Child.Ran r = run("jdk");
    assertEquals(new Child.Ran(0, "unparked\n"), r);
    assertFalse(r.output().contains("deadlock"));
  }

  @Test
  void anotherSchedulersGoroutineMayCome() throws Exception {
    Child.Ran came = new Child.Ran(0, "from another scheduler\n");
    assertEquals(came, run("scheduler", "goroutine"));
    assertEquals(came, run("scheduler", "timer"));
  }

  @Test
  void theEndOfAProcessMayCome() throws Exception {
    assertEquals(new Child.Ran(0, "process ended\n"), run("process"));
  }

  @Test
  void theEndOfTheProgramMayCome() throws Exception {
    assertEquals("waits\nthe end\n", runAndSignal("TERM", "hook").output());
  }

  @Test
  void aSignalMayCome() throws Exception {
    assertEquals(new Child.Ran(0, "waits\nsignal\n"), runAndSignal("USR2", "signal"));
  }

  /** The JDK's threads that run what somebody else may have given them. */
  @Test
  @SuppressWarnings("try") // the server is closed in the middle, which ends its accept
  void threadsOfTheJdkThatMayWakeSomebodyAreNotHarmless() throws Exception {
    Sched s = new Sched(SchedOptions.defaults().withProcs(1));
    Others others = new Others(s);
    AtomicBoolean cleaned = new AtomicBoolean();
    Process process = new ProcessBuilder("sleep", "60").start();
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    try {
      CompletableFuture<Process> end = process.onExit();
      Cleaner.Cleanable cleaner = Cleaner.create().register(end, () -> cleaned.set(true));
      Thread socket =
          Thread.startVirtualThread(() -> {
            try {
              server.accept();
            } catch (IOException e) {
              // the end of the test
            }
          });
      Thread sleeper =
          Thread.startVirtualThread(() -> {
            LockSupport.parkNanos(60_000_000_000L);
          });
      for (String name : List.of("process reaper", "Cleaner-", "Poller", "delayScheduler")) {
        while (jdkThreads(name).isEmpty() || jdkThreads(name).stream().allMatch(others::harmless)) {
          Thread.sleep(1); // it is being started, or what it shall wait for is
        }
      }
      for (String name : List.of("Common-Cleaner", "Reference Handler", "Finalizer")) {
        assertTrue(jdkThreads(name).stream().allMatch(others::harmless), name);
      }
      Thread user = Thread.ofPlatform().name("Common-Cleaner").unstarted(() -> {});
      assertFalse(others.harmless(user), "a name alone");
      server.close();
      socket.join();
      LockSupport.unpark(sleeper);
      sleeper.join();
      cleaner.clean();
      assertTrue(cleaned.get());
    } finally {
      server.close();
      process.destroyForcibly();
      s.shutdown();
    }
  }

  private static List<Thread> jdkThreads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().contains(name))
        .toList();
  }

  /** With each kind of helper nothing is reported; without any, in the same program, at once. */
  @Test
  void whoeverMayStillComeIsWaitedFor() throws Exception {
    Child.Ran r = run("helpers", String.valueOf(Seed.of("whoeverMayStillComeIsWaitedFor")));
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

package dev.gmptrace.bench.workload;

import static dev.gmptrace.runtime.Go.go;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Mutex;
import dev.gmptrace.runtime.Select;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.Syscalls;
import dev.gmptrace.tracer.record.Recording;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Goroutines on gmptrace's scheduler, with its channels and locks. */
@SuppressWarnings("ReferenceEquality") // a select's cases are identities
public final class GmpPeer implements Peer {
  private final Sched sched;
  private final NetEcho echo = new NetEcho();
  private @Nullable WebService web;

  /** With that many Ps. */
  public GmpPeer(int procs) {
    this(procs, 0);
  }

  /** With that many Ps, and stacks of that many frames when it is traced. */
  public GmpPeer(int procs, int stackDepth) {
    sched =
        new Sched(SchedOptions.defaults().withProcs(procs).withDebug("tracestack=" + stackDepth));
  }

  /** Records what it does from now on. */
  public Recording trace(Path file) {
    return sched.tracer().start(file);
  }

  @Override
  public long run(Workload workload, int n) throws Exception {
    Callable<Long> work =
        switch (workload) {
          case PINGPONG -> () -> pingpong(n);
          case BUFFERED -> () -> buffered(n);
          case SPAWN -> () -> spawn(n);
          case SKYNET -> GmpPeer::skynet;
          case SIEVE -> GmpPeer::sieve;
          case YIELD -> () -> yields(n);
          case MUTEX -> () -> mutex(n);
          case SELECT -> () -> selects(n);
          case SYSCALL -> () -> syscall(n);
          case BLOCKING -> () -> blocking(n);
          case TIMERS -> () -> timers(n);
          case NETECHO -> () -> echo.run(n);
          case WEB -> () -> web(n);
        };
    long[] result = new long[1];
    Go.run(
        sched,
        () -> {
          try {
            result[0] = work.call();
          } catch (RuntimeException e) {
            throw e;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    return result[0];
  }

  private long web(int n) throws InterruptedException {
    WebService service = web;
    if (service == null) {
      web = service = new WebService(Go.newExecutor());
    }
    return service.run(n, task -> go(task));
  }

  private static long pingpong(int n) {
    Chan<Integer> there = Chan.make();
    Chan<Integer> back = Chan.make();
    go(() -> {
      for (int i = 0; i < n; i++) {
        back.send(there.take());
      }
    });
    long sum = 0;
    for (int i = 0; i < n; i++) {
      there.send(i);
      sum += back.take();
    }
    return sum;
  }

  private static long buffered(int n) {
    Chan<Integer> channel = Chan.make(128);
    go(() -> {
      for (int i = 0; i < n; i++) {
        channel.send(i);
      }
    });
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += channel.take();
    }
    return sum;
  }

  private static long spawn(int n) {
    WaitGroup group = new WaitGroup();
    group.add(n);
    for (int i = 0; i < n; i++) {
      go(group::done);
    }
    group.await();
    return n;
  }

  private static long skynet() {
    Chan<Long> root = Chan.make();
    go(() -> skynet(root, 0, Workload.LEAVES));
    return root.take();
  }

  private static void skynet(Chan<Long> up, long number, int size) {
    if (size == 1) {
      up.send(number);
      return;
    }
    Chan<Long> down = Chan.make();
    int share = size / 10;
    for (int i = 0; i < 10; i++) {
      long first = number + (long) i * share;
      go(() -> skynet(down, first, share));
    }
    long sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += down.take();
    }
    up.send(sum);
  }

  /** The filters stay blocked when the thousandth prime is there, as they do in Go. */
  private static long sieve() {
    Chan<Integer> source = Chan.make();
    Chan<Integer> first = source;
    go(() -> {
      for (int i = 2; ; i++) {
        first.send(i);
      }
    });
    int prime = 0;
    for (int p = 0; p < Workload.PRIMES; p++) {
      prime = source.take();
      Chan<Integer> in = source;
      Chan<Integer> out = Chan.make();
      int divisor = prime;
      go(() -> {
        for (; ; ) {
          int value = in.take();
          if (value % divisor != 0) {
            out.send(value);
          }
        }
      });
      source = out;
    }
    return prime;
  }

  private static long yields(int n) {
    return each(
        Workload.YIELDERS,
        () -> {
          int share = n / Workload.YIELDERS;
          for (int i = 0; i < share; i++) {
            Go.gosched();
          }
          return share;
        });
  }

  private static long mutex(int n) {
    Mutex mutex = new Mutex();
    long[] counter = new long[1];
    each(
        Workload.LOCKERS,
        () -> {
          for (int i = 0; i < n / Workload.LOCKERS; i++) {
            mutex.lock();
            try {
              counter[0]++;
            } finally {
              mutex.unlock();
            }
          }
          return 0;
        });
    return counter[0];
  }

  private static long selects(int n) {
    Chan<Integer> even = Chan.make();
    Chan<Integer> odd = Chan.make();
    Chan<Integer> done = Chan.make();
    go(() -> {
      for (int i = 0; i < n; i++) {
        if ((i & 1) == 0) {
          even.send(i);
        } else {
          odd.send(i);
        }
      }
      done.send(-1);
    });
    Select select = new Select();
    Select.Receive<Integer> fromEven = select.receive(even);
    Select.Receive<Integer> fromOdd = select.receive(odd);
    Select.Receive<Integer> fromDone = select.receive(done);
    long sum = 0;
    for (; ; ) {
      Select.Case chosen = select.await();
      if (chosen == fromDone) {
        return sum;
      }
      Integer value = (chosen == fromEven ? fromEven : fromOdd).value();
      sum += value == null ? 0 : value;
    }
  }

  private static long syscall(int n) {
    return each(
        Workload.CALLERS,
        () -> {
          long bytes = 0;
          byte[] buffer = new byte[Workload.MESSAGE];
          try (FileInputStream in = new FileInputStream("/dev/zero")) {
            for (int i = 0; i < n / Workload.CALLERS; i++) {
              Syscalls.entersyscall();
              bytes += in.read(buffer);
              Syscalls.exitsyscall();
            }
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          return bytes;
        });
  }

  private static long blocking(int n) {
    return each(
        Workload.CALLERS,
        () -> {
          int share = n / Workload.CALLERS;
          for (int i = 0; i < share; i++) {
            Syscalls.entersyscall();
            Kernel.usleep(1000);
            Syscalls.exitsyscall();
          }
          return share;
        });
  }

  private static long timers(int n) {
    WaitGroup group = new WaitGroup();
    group.add(n);
    for (int i = 0; i < n; i++) {
      Duration duration = Duration.ofMillis(1 + i % 50);
      go(() -> {
        Go.sleep(duration);
        group.done();
      });
    }
    group.await();
    return n;
  }

  /** Runs {@code part} in that many goroutines at once and adds up what they return. */
  private static long each(int goroutines, LongSupplier part) {
    AtomicLong result = new AtomicLong();
    WaitGroup group = new WaitGroup();
    for (int g = 0; g < goroutines; g++) {
      group.go(() -> result.addAndGet(part.getAsLong()));
    }
    group.await();
    return result.get();
  }
}

package dev.gmptrace.bench.workload;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads on the JDK's own scheduler, with java.util.concurrent: an unbuffered channel is a
 * SynchronousQueue, a buffered one an ArrayBlockingQueue, a wait group a CountDownLatch, a mutex a
 * ReentrantLock. There is no select; one queue of tagged messages is what people write instead.
 */
public final class JdkPeer implements Peer {
  /** A value and the channel it came over. */
  private record Message(int channel, int value) {}

  private static final Message DONE = new Message(2, 0);

  private final AtomicLong result = new AtomicLong();
  private final SocketEcho echo = new SocketEcho();
  private @Nullable WebService web;

  @Override
  public long run(Workload workload, int n) throws Exception {
    FutureTask<Long> main =
        new FutureTask<>(() ->
            switch (workload) {
              case PINGPONG -> pingpong(n);
              case BUFFERED -> buffered(n);
              case SPAWN -> spawn(n);
              case SKYNET -> skynet();
              case SIEVE -> sieve();
              case YIELD -> yields(n);
              case MUTEX -> mutex(n);
              case SELECT -> select(n);
              case SYSCALL -> syscall(n);
              case BLOCKING -> blocking(n);
              case TIMERS -> timers(n);
              case NETECHO -> echo.run(n, Thread::startVirtualThread);
              case WEB -> web(n);
            });
    Thread.startVirtualThread(main);
    return main.get();
  }

  private long web(int n) throws InterruptedException {
    WebService service = web;
    if (service == null) {
      web = service = new WebService(Executors.newVirtualThreadPerTaskExecutor());
    }
    return service.run(n, Thread::startVirtualThread);
  }

  private static long pingpong(int n) throws InterruptedException {
    BlockingQueue<Integer> there = new SynchronousQueue<>();
    BlockingQueue<Integer> back = new SynchronousQueue<>();
    start(() -> {
      for (int i = 0; i < n; i++) {
        back.put(there.take());
      }
    });
    long sum = 0;
    for (int i = 0; i < n; i++) {
      there.put(i);
      sum += back.take();
    }
    return sum;
  }

  private static long buffered(int n) throws InterruptedException {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(128);
    start(() -> {
      for (int i = 0; i < n; i++) {
        queue.put(i);
      }
    });
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += queue.take();
    }
    return sum;
  }

  private static long spawn(int n) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      Thread.startVirtualThread(done::countDown);
    }
    done.await();
    return n - done.getCount();
  }

  private static long skynet() throws InterruptedException {
    BlockingQueue<Long> root = new SynchronousQueue<>();
    start(() -> skynet(root, 0, Workload.LEAVES));
    return root.take();
  }

  private static void skynet(BlockingQueue<Long> up, long number, int size)
      throws InterruptedException {
    if (size == 1) {
      up.put(number);
      return;
    }
    BlockingQueue<Long> down = new SynchronousQueue<>();
    int share = size / 10;
    for (int i = 0; i < 10; i++) {
      long first = number + (long) i * share;
      start(() -> skynet(down, first, share));
    }
    long sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += down.take();
    }
    up.put(sum);
  }

  private static long sieve() throws InterruptedException {
    BlockingQueue<Integer> source = new SynchronousQueue<>();
    Thread[] threads = new Thread[Workload.PRIMES + 1];
    BlockingQueue<Integer> first = source;
    threads[0] =
        start(() -> {
          for (int i = 2; ; i++) {
            first.put(i);
          }
        });
    int prime = 0;
    for (int p = 0; p < Workload.PRIMES; p++) {
      prime = source.take();
      BlockingQueue<Integer> in = source;
      BlockingQueue<Integer> out = new SynchronousQueue<>();
      int divisor = prime;
      threads[p + 1] =
          start(() -> {
            for (; ; ) {
              int value = in.take();
              if (value % divisor != 0) {
                out.put(value);
              }
            }
          });
      source = out;
    }
    for (Thread thread : threads) {
      thread.interrupt();
    }
    return prime;
  }

  private long yields(int n) throws InterruptedException {
    return each(
        Workload.YIELDERS,
        () -> {
          int share = n / Workload.YIELDERS;
          for (int i = 0; i < share; i++) {
            Thread.yield();
          }
          return share;
        });
  }

  private long mutex(int n) throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    long[] counter = new long[1];
    each(
        Workload.LOCKERS,
        () -> {
          for (int i = 0; i < n / Workload.LOCKERS; i++) {
            lock.lock();
            try {
              counter[0]++;
            } finally {
              lock.unlock();
            }
          }
          return 0;
        });
    return counter[0];
  }

  private static long select(int n) throws InterruptedException {
    BlockingQueue<Message> messages = new SynchronousQueue<>();
    start(() -> {
      for (int i = 0; i < n; i++) {
        messages.put(new Message(i & 1, i));
      }
      messages.put(DONE);
    });
    long sum = 0;
    for (; ; ) {
      Message message = messages.take();
      switch (message.channel()) {
        case 0, 1 -> sum += message.value();
        default -> {
          return sum;
        }
      }
    }
  }

  private long syscall(int n) throws InterruptedException {
    return each(
        Workload.CALLERS,
        () -> {
          long bytes = 0;
          byte[] buffer = new byte[Workload.MESSAGE];
          try (FileInputStream in = new FileInputStream("/dev/zero")) {
            for (int i = 0; i < n / Workload.CALLERS; i++) {
              bytes += in.read(buffer);
            }
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          return bytes;
        });
  }

  private long blocking(int n) throws InterruptedException {
    return each(
        Workload.CALLERS,
        () -> {
          int share = n / Workload.CALLERS;
          for (int i = 0; i < share; i++) {
            Kernel.usleep(1000);
          }
          return share;
        });
  }

  private static long timers(int n) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      int millis = 1 + i % 50;
      start(() -> {
        Thread.sleep(millis);
        done.countDown();
      });
    }
    done.await();
    return n - done.getCount();
  }

  /** Runs {@code part} in that many threads at once and adds up what they return. */
  private long each(int threads, java.util.function.LongSupplier part) throws InterruptedException {
    result.set(0);
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      Thread.startVirtualThread(() -> {
        try {
          result.addAndGet(part.getAsLong());
        } finally {
          done.countDown();
        }
      });
    }
    done.await();
    return result.get();
  }

  /** A task that may be interrupted. */
  interface Task {
    void run() throws InterruptedException;
  }

  static Thread start(Task task) {
    return Thread.startVirtualThread(() -> {
      try {
        task.run();
      } catch (InterruptedException e) {
        // The sieve's filters end this way; nobody waits for them.
        Thread.currentThread().interrupt();
      }
    });
  }
}

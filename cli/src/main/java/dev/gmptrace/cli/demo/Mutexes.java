package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Mutex;
import dev.gmptrace.runtime.Trace;
import dev.gmptrace.runtime.WaitGroup;

/**
 * Eight goroutines want one lock. Holding it for 20 µs makes them queue; holding it for 2 ms, as
 * every hundredth turn does, makes the longest waiter starve for over a millisecond, so that the
 * mutex hands itself over in order until the queue is short again. Each turn is a region, named
 * after the mode it was had in.
 */
final class Mutexes implements Workload {
  private static final int GOROUTINES = 8;

  @Override
  public void run(Stopwatch time) {
    Mutex lock = new Mutex();
    long[] turns = new long[2]; // all, and those in starvation mode
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < GOROUTINES; i++) {
      all.go(() -> {
        while (time.running()) {
          lock.lock();
          boolean starving = lock.isStarving();
          try (var _ = Trace.region(starving ? "turn in starvation mode" : "turn")) {
            if (starving) {
              turns[1]++;
            }
            Work.spin(++turns[0] % 100 == 0 ? 2000 : 20);
          } finally {
            lock.unlock();
          }
          Work.spin(10);
        }
      });
    }
    all.await();
    Report.line(
        "%d turns by %d goroutines, %d of them in starvation mode"
            .formatted(turns[0], GOROUTINES, turns[1]));
    Go.gosched();
  }
}

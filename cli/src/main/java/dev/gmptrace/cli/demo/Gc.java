package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.util.ArrayDeque;

/** Goroutines that allocate; collections stop them all, and the heap's curve is a saw. */
final class Gc implements Workload {
  private static final int KEPT = 2000;
  private static final int PIECE = 4096;

  @Override
  public void run(Stopwatch time) {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 2 * Go.sched().gomaxprocs(); i++) {
      all.go(() -> {
        var kept = new ArrayDeque<byte[]>();
        while (time.running()) {
          for (int n = 0; n < 100; n++) {
            kept.add(new byte[PIECE]);
            if (kept.size() > KEPT) {
              kept.poll();
            }
          }
          Go.gosched();
        }
      });
    }
    all.await();
    System.gc();
  }
}

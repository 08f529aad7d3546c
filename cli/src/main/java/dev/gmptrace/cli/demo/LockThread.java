package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;

/**
 * Two pairs play ping-pong, one of them with a player locked to its thread. Whoever wakes that one
 * cannot simply run it: the P has to travel to its thread and back, and the timeline shows it.
 */
final class LockThread implements Workload {
  @Override
  public void run(Stopwatch time) {
    long[] rounds = new long[2];
    WaitGroup pairs = new WaitGroup();
    pairs.go(() -> rounds[0] = play(time, false));
    pairs.go(() -> rounds[1] = play(time, true));
    pairs.await();
    Report.line(
        "%d rounds unlocked, %d with one locked to its thread".formatted(rounds[0], rounds[1]));
  }

  private static long play(Stopwatch time, boolean locked) {
    Chan<Long> ping = Chan.make();
    Chan<Long> pong = Chan.make();
    Go.go(
        locked ? "locked player" : "free player",
        () -> {
          if (locked) {
            Go.lockOSThread();
          }
          for (long n : ping) {
            Work.spin(20);
            pong.send(n + 1);
          }
          pong.close();
        });
    long n = 0;
    while (time.running()) {
      ping.send(n);
      n = pong.take();
    }
    ping.close();
    return n;
  }
}

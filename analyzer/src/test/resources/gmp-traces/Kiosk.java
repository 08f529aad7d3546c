import dev.gmptrace.runtime.*;
import java.time.Duration;
import java.util.stream.IntStream;

// The program behind simulated.bin and lossy.bin. Clerks hand numbers to each other, pair by pair,
// lock, log, sleep and start errands; a rush between two such days is more than small buffers hold.
// To record them again:
//   GMPDEBUG=seed=7,traceadvanceperiod=15000000,trace=simulated.bin GMPMAXPROCS=2 \
//     gmptrace run Kiosk.java 0
//   mkfifo pipe; (exec 3<pipe; dd bs=1000 count=8 <&3; sleep 2.5; cat <&3) > lossy.bin &
//   GMPDEBUG=seed=7,traceadvanceperiod=400000000,tracebuf=4K,tracepool=64K,trace=pipe \
//     GMPMAXPROCS=2 gmptrace run Kiosk.java 2500
void main(String[] args) {
  int rush = Integer.parseInt(args[0]);
  Go.run(() -> {
    day(60, true);
    day(rush, false);
    day(60, true);
  });
}

void day(int rounds, boolean errands) {
  Mutex till = new Mutex();
  WaitGroup all = new WaitGroup();
  for (Chan<Integer> pair : IntStream.range(0, 4).mapToObj(i -> Chan.<Integer>make()).toList()) {
    for (int first = 0; first < 2; first++) {
      int phase = first;
      all.add(1);
      Go.go("clerk", () -> {
        for (int k = 0; k < rounds; k++) {
          if ((k + phase) % 2 == 0) {
            pair.send(k);
          } else {
            pair.take();
          }
          if (errands) {
            errand(k, till, all);
          }
        }
        all.done();
      });
    }
  }
  all.await();
}

void errand(int k, Mutex till, WaitGroup all) {
  if (k % 8 == 0) {
    till.lock();
    Trace.log("round", "of a clerk");
    till.unlock();
  }
  if (k % 16 == 0) {
    all.add(1);
    Go.go("errand", all::done);
  }
  if (k % 20 == 0) {
    Go.sleep(Duration.ofMillis(2));
  }
}

package dev.gmptrace.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program of its own: as many goroutines as asked, all alive and waiting at once, then done. */
final class MillionGoroutines {
  private MillionGoroutines() {}

  public static void main(String[] args) throws IOException {
    int n = Integer.parseInt(args[0]);
    long[] sum = new long[1];
    Go.run(() -> {
      Chan<Integer> gate = Chan.make();
      Chan<Integer> out = Chan.make(1024);
      WaitGroup arrived = new WaitGroup();
      arrived.add(n);
      for (int i = 0; i < n; i++) {
        int me = i;
        Go.go(() -> {
          arrived.done();
          Integer _ = gate.receive(); // until it is closed
          out.send(me);
        });
      }
      arrived.await();
      System.out.println("alive " + (Go.numGoroutine() - 1));
      gate.close();
      for (int i = 0; i < n; i++) {
        sum[0] += out.take();
      }
    });
    System.out.println("sum " + sum[0]);
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM")) {
        System.out.println("peak " + line.replaceAll("\\D", ""));
      }
    }
  }
}

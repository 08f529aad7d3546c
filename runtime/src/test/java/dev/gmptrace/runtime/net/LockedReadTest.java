package dev.gmptrace.runtime.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A goroutine that is tied to its thread waits for the network, as the last one that runs: its M
 * sleeps with it and does not poll, so another must.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockedReadTest {
  private static final int ROUNDS = 10;

  private Sched sched = new Sched(SchedOptions.defaults().withProcs(1));

  @AfterEach
  void shutdown() {
    sched.shutdown();
  }

  /** Who reads, on a connection that is open; gives the byte back. */
  private interface Reader {
    int read(Conn c);
  }

  private static int readByte(Conn c) {
    byte[] b = new byte[1];
    assertEquals(1, c.read(b));
    return b[0];
  }

  /** Reads some bytes, each written when all Ps have been idle for a while. */
  private void roundsOf(int procs, Reader reader) throws Exception {
    sched = new Sched(SchedOptions.defaults().withProcs(procs).withDebug("check=1"));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Conn[] dialled = new Conn[1];
      sched.run(() -> dialled[0] = Net.dial("127.0.0.1:" + server.getLocalPort()));
      try (Socket other = server.accept();
          Conn c = dialled[0]) {
        for (int i = 0; i < ROUNDS; i++) {
          int round = i;
          AtomicInteger got = new AtomicInteger(-1);
          Thread t =
              Thread.ofPlatform()
                  .daemon()
                  .start(() -> {
                    // The others are to be asleep before it waits, with nothing to poll for.
                    while (sched.idleProcs() < procs) {
                      Thread.onSpinWait();
                    }
                    got.set(reader.read(c));
                  });
          for (int idle = 0; idle < 30; idle = idle(procs) ? idle + 1 : 0) {
            Thread.sleep(1);
          }
          other.getOutputStream().write(round);
          t.join();
          assertEquals(round, got.get());
        }
      }
    }
  }

  private boolean idle(int procs) {
    return sched.idleProcs() == procs && sched.spinningThreads() == 0;
  }

  /** Until its M is the only one awake. */
  private void alone(int procs) {
    while (sched.idleProcs() < procs - 1 || sched.spinningThreads() > 0) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void ofALockedGoroutine(int procs) throws Exception {
    roundsOf(
        procs,
        c -> {
          int[] got = new int[1];
          sched.run(() -> {
            Go.lockOSThread();
            alone(procs);
            got[0] = readByte(c);
            Go.unlockOSThread();
          });
          return got[0];
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void ofAPinnedGoroutine(int procs) throws Exception {
    roundsOf(
        procs,
        c -> {
          int[] got = new int[1];
          sched.run(() -> {
            alone(procs);
            Thread me = Jdk.pin();
            try {
              got[0] = readByte(c);
            } finally {
              Jdk.unpin(me);
            }
          });
          return got[0];
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void ofAForeignThread(int procs) throws Exception {
    roundsOf(
        procs,
        c -> {
          int[] got = new int[1];
          Foreign.call(
              sched,
              () -> {
                alone(procs);
                got[0] = readByte(c);
              });
          return got[0];
        });
  }
}

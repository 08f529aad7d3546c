package dev.gmptrace.runtime.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets of {@code java.net} in goroutines and beside them. */
@Timeout(60)
class PlainSocketsTest {

  /** The JDK's pollers are for the whole JVM; they must not end with the first who used them. */
  @Test
  void socketsOfOthersOutliveTheSchedulerThatUsedThemFirst() throws Exception {
    Sched sched = new Sched(SchedOptions.defaults().withProcs(1));
    try {
      Go.run(sched, () -> assertEquals(7, readThatWaits()));
    } finally {
      sched.shutdown();
    }
    FutureTask<Integer> elsewhere = new FutureTask<>(PlainSocketsTest::readThatWaits);
    Thread _ = Thread.startVirtualThread(elsewhere);
    assertEquals(7, elsewhere.get(30, TimeUnit.SECONDS));
  }

  /** Reads a byte that is sent only once the reader has begun to wait, as far as one can tell. */
  private static int readThatWaits() {
    CountDownLatch connected = new CountDownLatch(1);
    Thread reader = Thread.currentThread();
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                try (var s = server.accept()) {
                  connected.await();
                  for (int i = 0; i < 1000 && reader.getState() != Thread.State.WAITING; i++) {
                    TimeUnit.MILLISECONDS.sleep(1);
                  }
                  s.getOutputStream().write(7);
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      int got;
      try (var c = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
        connected.countDown();
        got = c.getInputStream().read();
      }
      sender.join();
      return got;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

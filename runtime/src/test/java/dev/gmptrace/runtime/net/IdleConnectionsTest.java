package dev.gmptrace.runtime.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections on which nothing happens cost a goroutine each, and no thread. */
@Timeout(120)
class IdleConnectionsTest {
  private static final int CONNECTIONS = 10_000;
  private static final int OTHER_FILES = 1_000;

  /** The other ends, in a JVM of their own so that each side has its own limit of open files. */
  static final class Clients {
    private Clients() {}

    public static void main(String[] args) throws IOException {
      List<SocketChannel> open = new ArrayList<>();
      InetSocketAddress server =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
      for (int i = 0; i < CONNECTIONS; i++) {
        open.add(SocketChannel.open(server));
      }
      int end = System.in.read(); // the end closes them all
      System.exit(end == -1 && open.size() == CONNECTIONS ? 0 : 1);
    }
  }

  @Test
  void tenThousandIdleConnectionsCostNoThread() throws Exception {
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
            ? os.getMaxFileDescriptorCount()
            : Long.MAX_VALUE;
    assumeTrue(
        files >= CONNECTIONS + OTHER_FILES,
        () -> "only " + files + " open files allowed, 11000 needed: raise it with ulimit -n");
    Sched s = new Sched(SchedOptions.defaults().withProcs(2).withCheck(true));
    AtomicInteger ended = new AtomicInteger();
    s.run(() -> {
      Listener l = Net.listen("127.0.0.1:0");
      String address = l.address();
      Process clients = start(address.substring(address.lastIndexOf(':') + 1));
      WaitGroup served = new WaitGroup();
      for (int i = 0; i < CONNECTIONS; i++) {
        l.setDeadline(Duration.ofSeconds(60)); // the other JVM may have died
        Conn c = l.accept();
        served.go(() -> {
          try (c) {
            assertEquals(-1, c.read(new byte[1]));
            ended.incrementAndGet();
          }
        });
      }
      while (s.countStates()[2] < CONNECTIONS) { // all wait
        Go.sleep(Duration.ofMillis(1));
      }
      int threads = s.threadCount();
      assertTrue(threads < 20, threads + " threads for " + CONNECTIONS + " connections");
      assertEquals(0, ended.get());
      try {
        clients.getOutputStream().close();
        served.await();
        assertEquals(0, clients.waitFor());
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
      l.close();
    });
    s.shutdown();
    assertEquals(CONNECTIONS, ended.get());
  }

  private static Process start(String port) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              Clients.class.getName(),
              port)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .redirectOutput(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

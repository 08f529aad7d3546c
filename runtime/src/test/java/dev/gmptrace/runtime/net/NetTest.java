package dev.gmptrace.runtime.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.CancelContext;
import dev.gmptrace.runtime.CancelledException;
import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Context;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.OnProcs;
import dev.gmptrace.runtime.Time;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.WaitReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listening, dialling, reading, writing, deadlines, and many connections. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NetTest {
  private static void onProcs(int procs, Runnable main) {
    OnProcs.run(procs, main);
  }

  /** Echoes until the other side is done or either is closed. */
  private static void echo(Conn c) {
    try (c) {
      byte[] buf = new byte[512];
      for (int n; (n = c.read(buf)) > 0; ) {
        c.write(buf, 0, n);
      }
    } catch (NetException e) {
      // The client went away in the middle; that is what it is for.
    }
  }

  private static Listener echoServer(WaitGroup served) {
    Listener l = Net.listen("127.0.0.1:0");
    served.go(() -> {
      for (; ; ) {
        Conn c;
        try {
          c = l.accept();
        } catch (NetException e) {
          assertTrue(e.isClosed(), () -> "" + e);
          return;
        }
        served.go(() -> echo(c));
      }
    });
    return l;
  }

  private static void readFully(Conn c, byte[] into) {
    for (int at = 0; at < into.length; ) {
      int n = c.read(into, at, into.length - at);
      assertTrue(n > 0, "connection ended early");
      at += n;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void echoes(int procs) {
    onProcs(
        procs,
        () -> {
          WaitGroup served = new WaitGroup();
          Listener l = echoServer(served);
          try (Conn c = Net.dial(l.address())) {
            for (int i = 0; i < 200; i++) {
              byte[] out = ("message " + i).getBytes(UTF_8);
              c.write(out);
              byte[] in = new byte[out.length];
              readFully(c, in);
              assertArrayEquals(out, in);
            }
            assertEquals(l.address(), c.remoteAddress());
            c.closeWrite();
            assertEquals(-1, c.read(new byte[1]));
          }
          l.close();
          served.await();
        });
  }

  @Test
  void bigWritesWaitForTheReader() {
    onProcs(
        2,
        () -> {
          Listener l = Net.listen("127.0.0.1:0");
          byte[] big = new byte[8 << 20];
          new Random(1).nextBytes(big);
          Go.go(() -> {
            try (Conn c = Net.dial(l.address())) {
              c.write(big);
            }
          });
          try (Conn c = l.accept()) {
            Time.sleep(Duration.ofMillis(20));
            byte[] in = new byte[big.length];
            readFully(c, in);
            assertArrayEquals(big, in);
            assertEquals(-1, c.read(new byte[1]));
          }
          l.close();
        });
  }

  @Test
  void goroutineThatReadsIsInIoWait() {
    onProcs(
        2,
        () -> {
          WaitGroup served = new WaitGroup();
          Listener l = echoServer(served);
          Conn c = Net.dial(l.address());
          Chan<Integer> got = Chan.make(1);
          G gp = Go.sched().go(() -> got.send(c.read(new byte[8])));
          while (gp.status() != G.WAITING || gp.waitReason() != WaitReason.IO_WAIT) {
            Go.gosched();
          }
          c.write("12345".getBytes(UTF_8));
          assertEquals(5, got.receive());
          c.close();
          l.close();
          served.await();
        });
  }

  @Test
  void deadlinesEndWaits() {
    onProcs(
        2,
        () -> {
          Listener l = Net.listen("127.0.0.1:0");
          l.setDeadline(Duration.ofMillis(5));
          assertTrue(assertThrows(NetException.class, l::accept).isTimeout());
          // A past deadline refuses at once, even when there is somebody to accept.
          Conn c = Net.dial(l.address());
          l.setDeadline(Duration.ZERO);
          assertTrue(assertThrows(NetException.class, l::accept).isTimeout());
          l.setDeadline(null);
          Conn s = l.accept();
          c.setReadDeadline(Duration.ofMillis(5));
          NetException e = assertThrows(NetException.class, () -> c.read(new byte[1]));
          assertTrue(e.isTimeout());
          assertTrue(String.valueOf(e.getMessage()).endsWith(": i/o timeout"), e.getMessage());
          assertTrue(String.valueOf(e.getMessage()).startsWith("read tcp 127.0.0.1:"));
          // Past deadlines refuse at once, even when there is something to read.
          s.write(new byte[] {7});
          assertTrue(assertThrows(NetException.class, () -> c.read(new byte[1])).isTimeout());
          c.setReadDeadline(null);
          byte[] one = new byte[1];
          assertEquals(1, c.read(one));
          assertEquals(7, one[0]);
          // A deadline set while another waits ends that wait.
          Go.go(() -> {
            Time.sleep(Duration.ofMillis(5));
            c.setDeadline(Duration.ZERO);
          });
          assertTrue(assertThrows(NetException.class, () -> c.read(one)).isTimeout());
          c.setDeadline(Duration.ofDays(1000));
          c.setWriteDeadline(Duration.ofMillis(20));
          byte[] big = new byte[32 << 20];
          assertTrue(assertThrows(NetException.class, () -> c.write(big)).isTimeout());
          c.close();
          s.close();
          l.close();
        });
  }

  @Test
  void closeEndsTheWaitsOfOthers() {
    onProcs(
        2,
        () -> {
          Listener l = Net.listen("127.0.0.1:0");
          Conn c = Net.dial(l.address());
          Conn s = l.accept();
          Chan<NetException> ended = Chan.make(2);
          Go.go(() -> ended.send(assertThrows(NetException.class, () -> c.read(new byte[1]))));
          Go.go(() -> ended.send(assertThrows(NetException.class, l::accept)));
          Time.sleep(Duration.ofMillis(5));
          c.close();
          l.close();
          for (int i = 0; i < 2; i++) {
            NetException e = ended.take();
            assertTrue(e.isClosed());
            assertTrue(
                String.valueOf(e.getMessage()).endsWith(": use of closed network connection"));
          }
          assertEquals(-1, s.read(new byte[1]));
          assertTrue(assertThrows(NetException.class, () -> c.write(new byte[1])).isClosed());
          c.close();
          s.close();
        });
  }

  @Test
  void dialSaysWhatIsWrong() throws IOException {
    int port;
    try (ServerSocket s = new ServerSocket(0)) {
      port = s.getLocalPort();
    }
    NetException e = assertThrows(NetException.class, () -> Net.dial("127.0.0.1:" + port));
    assertEquals("dial 127.0.0.1:" + port + ": Connection refused", e.getMessage());
    assertFalse(e.isTimeout());
    assertThrows(IllegalArgumentException.class, () -> Net.dial("nowhere"));
    assertThrows(IllegalArgumentException.class, () -> Net.dial("host:http"));
    assertTrue(
        assertThrows(NetException.class, () -> Net.dial("127.0.0.1:1", Duration.ZERO)).isTimeout());
    CancelContext ctx = Context.background().withCancel();
    ctx.cancel();
    assertThrows(CancelledException.class, () -> Net.dial(ctx, "127.0.0.1:1"));
    try (Listener l = Net.listen(":0")) {
      String taken = l.address().substring(l.address().lastIndexOf(':'));
      NetException in = assertThrows(NetException.class, () -> Net.listen(taken));
      assertTrue(String.valueOf(in.getMessage()).startsWith("listen :"), in.getMessage());
    }
  }

  @Test
  void unixSocketsAndStreams(@TempDir Path dir) {
    onProcs(
        2,
        () -> {
          Listener l = Net.listen("unix:" + dir.resolve("s"));
          Go.go(() -> {
            try (Conn c = Net.dial(l.address())) {
              c.output().write("one line\n".getBytes(UTF_8));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
          try (Conn c = l.accept();
              BufferedReader r = new BufferedReader(new InputStreamReader(c.input(), UTF_8))) {
            assertEquals("one line", r.readLine());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          l.close();
        });
  }

  @Test
  void unixAddressCanBeUsedAgain(@TempDir Path dir) {
    onProcs(
        2,
        () -> {
          Path file = dir.resolve("s");
          for (int i = 0; i < 2; i++) {
            try (Listener _ = Net.listen("unix:" + file)) {
              assertTrue(Files.exists(file));
            }
            assertFalse(Files.exists(file));
          }
        });
  }

  @Test
  void addressesOfANameAreTriedInTurn() throws IOException {
    SocketAddress nobody;
    try (ServerSocket s = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = s.getLocalSocketAddress();
    }
    onProcs(
        2,
        () -> {
          Sched s = Go.sched();
          G me = Objects.requireNonNull(Proc.getg());
          Listener l = Net.listen("127.0.0.1:0");
          List<SocketAddress> both = new ArrayList<>(List.of(nobody));
          NetException e =
              assertThrows(
                  NetException.class,
                  () -> Net.dialFirst(Context.background(), s, me, both, "dial name:1"));
          assertEquals("dial name:1: Connection refused", e.getMessage());
          int port = Integer.parseInt(l.address().substring(l.address().lastIndexOf(':') + 1));
          both.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
          for (Context ctx :
              List.of(
                  Context.background(), Context.background().withTimeout(Duration.ofHours(1)))) {
            try (Conn c = Net.dialFirst(ctx, s, me, both, "dial name:1")) {
              assertEquals(l.address(), c.remoteAddress());
            }
          }
          l.close();
        });
  }

  /** The end of a context ends the dial through a deadline, which must not stay behind. */
  @Test
  void dialThatRacesWithTheEndOfItsContextGivesASoundConnectionOrNone() {
    onProcs(
        2,
        () -> {
          WaitGroup served = new WaitGroup();
          Listener l = echoServer(served);
          Random random = new Random(1);
          for (int i = 0; i < 2_000; i++) {
            CancelContext ctx = Context.background().withCancel();
            int spins = random.nextInt(4_000);
            Chan<Boolean> ended = Chan.make(1);
            Go.go(() -> {
              for (int k = 0; k < spins; k++) {
                Thread.onSpinWait();
              }
              ctx.cancel();
              ended.send(true);
            });
            try (Conn c = Net.dial(ctx, l.address())) {
              ended.take();
              Time.sleep(Duration.ofNanos(50_000)); // for what the cancelling may have started
              c.write(new byte[1]);
            } catch (CancelledException e) {
              // It was in time.
            }
          }
          l.close();
          served.await();
        });
  }

  @Test
  void platformThreadsAndPlainSocketsTakePart() throws IOException {
    WaitGroup served = new WaitGroup();
    Listener l = echoServer(served);
    int port = Integer.parseInt(l.address().substring(l.address().lastIndexOf(':') + 1));
    try (Conn c = Net.dial(l.address())) { // this thread is no goroutine
      c.write("abc".getBytes(UTF_8));
      byte[] in = new byte[3];
      readFully(c, in);
      assertEquals("abc", new String(in, UTF_8));
    }
    Go.run(() -> {
      try (Socket s =
          new Socket(InetAddress.getLoopbackAddress(), port)) { // java.net inside a goroutine
        s.getOutputStream().write("xyz".getBytes(UTF_8));
        assertEquals("xyz", new String(s.getInputStream().readNBytes(3), UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    l.close();
    served.await();
  }

  /**
   * Connections that end as others begin: closing takes locks of the Selector and of channels,
   * which whoever polls takes too.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void connectionsComeAndGo(int procs) {
    onProcs(
        procs,
        () -> {
          WaitGroup served = new WaitGroup();
          Listener l = echoServer(served);
          WaitGroup wg = new WaitGroup();
          for (int i = 0; i < 100; i++) {
            wg.go(() -> {
              for (int k = 0; k < 20; k++) {
                try (Conn c = Net.dial(l.address())) {
                  if (k % 2 == 0) {
                    c.write(new byte[8]);
                  }
                }
              }
            });
          }
          wg.await();
          l.close();
          served.await();
        });
  }

  /** 2 000 connections at once that talk for a while and leave in every possible way. */
  @Test
  void twoThousandConnectionsWithRandomCloses() {
    long seed = Long.getLong("gmptrace.seed", System.nanoTime());
    System.out.println("gmptrace.seed=" + seed);
    onProcs(
        4,
        () -> {
          int clients = 2_000;
          WaitGroup served = new WaitGroup();
          Listener l = echoServer(served);
          int threadsBefore = Go.sched().threadCount();
          AtomicInteger whole = new AtomicInteger();
          AtomicInteger cut = new AtomicInteger();
          WaitGroup connected = new WaitGroup();
          connected.add(clients);
          WaitGroup wg = new WaitGroup();
          for (int i = 0; i < clients; i++) {
            Random random = new Random(seed + i);
            wg.go(() -> {
              try (Conn c = Net.dial(l.address())) {
                connected.done();
                connected.await(); // all are open at once from here
                int messages = 1 + random.nextInt(4);
                for (int m = 0; m < messages; m++) {
                  byte[] out = new byte[1 + random.nextInt(2_000)];
                  random.nextBytes(out);
                  c.write(out);
                  if (random.nextInt(8) == 0) {
                    cut.incrementAndGet();
                    return; // with the echo still under way
                  }
                  byte[] in = new byte[out.length];
                  readFully(c, in);
                  assertArrayEquals(out, in);
                }
                whole.incrementAndGet();
              }
            });
          }
          wg.await();
          int threads = Go.sched().threadCount() - threadsBefore;
          l.close();
          served.await();
          assertEquals(clients, whole.get() + cut.get());
          assertTrue(cut.get() > 0 && whole.get() > 0);
          assertTrue(threads < 50, threads + " more threads for " + clients + " connections");
        });
  }
}

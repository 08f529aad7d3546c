package dev.gmptrace.runtime.net;

import dev.gmptrace.runtime.CancelledException;
import dev.gmptrace.runtime.Context;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Netpoll;
import dev.gmptrace.runtime.sched.PollDesc;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code net.Listen} and {@code net.Dial}.
 *
 * <pre>{@code
 * Listener l = Net.listen("127.0.0.1:0");
 * go(() -> {
 *   for (;;) {
 *     Conn c = l.accept();
 *     go(() -> serve(c));
 *   }
 * });
 * try (Conn c = Net.dial(l.address())) {
 *   c.write("hello\n".getBytes(UTF_8));
 * }
 * }</pre>
 *
 * Addresses are {@code host:port}, {@code :port}, or {@code unix:/path}. Listeners and connections
 * belong to the scheduler of the goroutine that made them; others may use them, more slowly.
 */
public final class Net {
  private Net() {}

  /**
   * Listens on an address; port 0 lets the system choose one.
   *
   * @throws NetException when that is not possible
   */
  public static Listener listen(String address) {
    String where = "listen " + address;
    try {
      SocketAddress at = Address.parse(address, true);
      ServerSocketChannel ch =
          at instanceof UnixDomainSocketAddress
              ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
              : ServerSocketChannel.open();
      try {
        if (!(at instanceof UnixDomainSocketAddress)) {
          ch.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        }
        ch.configureBlocking(false);
        ch.bind(at, 4096);
        Sched s = Go.sched();
        return new Listener(s, ch, s.netpoll().open(ch));
      } catch (IOException | RuntimeException e) {
        ch.close();
        throw e;
      }
    } catch (IOException e) {
      throw NetException.of(where, e);
    }
  }

  /**
   * Connects.
   *
   * @throws NetException when that is not possible
   */
  public static Conn dial(String address) {
    return dial(Context.background(), address);
  }

  /**
   * Connects, taking at most {@code timeout}.
   *
   * @throws NetException when that is not possible, or not in time
   */
  public static Conn dial(String address, Duration timeout) {
    try (var ctx = Context.background().withTimeout(timeout)) {
      return dial(ctx, address);
    }
  }

  /**
   * Connects, unless {@code ctx} is done before.
   *
   * @throws NetException when that is not possible, or the deadline of {@code ctx} passed
   * @throws CancelledException when {@code ctx} was cancelled
   */
  public static Conn dial(Context ctx, String address) {
    Sched s = Go.sched();
    G gp = Proc.enter();
    if (gp == null) {
      Conn[] made = new Conn[1];
      Foreign.call(s, () -> made[0] = dial(ctx, address));
      return made[0];
    }
    String where = "dial " + address;
    check(ctx, where);
    try {
      SocketAddress to = Address.parse(address, false);
      SocketChannel ch =
          to instanceof UnixDomainSocketAddress
              ? SocketChannel.open(StandardProtocolFamily.UNIX)
              : SocketChannel.open();
      PollDesc pd = null;
      try {
        ch.configureBlocking(false);
        boolean connected = ch.connect(to);
        pd = s.netpoll().open(ch);
        if (!connected) {
          finishConnect(ctx, gp, ch, pd, where);
        }
        return Conn.of(s, ch, pd);
      } catch (IOException | RuntimeException e) {
        if (pd == null) {
          ch.close();
        } else {
          Conn.shut(ch, pd, where);
        }
        throw e;
      }
    } catch (IOException e) {
      throw NetException.of(where, e);
    }
  }

  private static void finishConnect(Context ctx, G gp, SocketChannel ch, PollDesc pd, String where)
      throws IOException {
    // A context that is done ends the wait through the deadline.
    Context.AfterFunc watch = ctx.afterFunc(() -> pd.setWriteDeadline(1));
    try {
      while (!Netpoll.pinned(ch::finishConnect)) {
        switch (pd.waitConnect(gp)) {
          case READY -> {}
          case TIMEOUT -> {
            check(ctx, where);
            throw NetException.timeout(where);
          }
          case CLOSED -> throw NetException.closed(where);
        }
      }
    } finally {
      boolean _ = watch.stop();
    }
    pd.setWriteDeadline(0);
  }

  private static void check(Context ctx, String where) {
    CancelledException e = ctx.err();
    if (e == null) {
      return;
    }
    if (e.isDeadlineExceeded()) {
      throw NetException.timeout(where);
    }
    ctx.check();
  }

  /** Puts "tcp 127.0.0.1:80->10.0.0.1:1234" behind the operation. */
  static String where(String op, @Nullable SocketAddress from, @Nullable SocketAddress to) {
    String local = Address.text(from);
    String network = Address.network(from == null ? to : from);
    return op + " " + network + " " + (to == null ? local : local + "->" + Address.text(to));
  }
}

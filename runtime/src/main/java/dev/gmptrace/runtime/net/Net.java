package dev.gmptrace.runtime.net;

import dev.gmptrace.runtime.CancelledException;
import dev.gmptrace.runtime.Chan;
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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  private Net() {}

  /**
   * Listens on an address; port 0 lets the system choose one.
   *
   * @throws NetException when that is not possible
   */
  public static Listener listen(String address) {
    String where = "listen " + address;
    try {
      SocketAddress at = Address.parse(address, true).getFirst();
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
   * Connects. If a name stands for several addresses they are tried in turn.
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
      return dialFirst(ctx, s, gp, Address.parse(address, false), where);
    } catch (IOException e) {
      throw NetException.of(where, e);
    }
  }

  /** The first that answers; when none does, what was wrong with the first, as in Go. */
  static Conn dialFirst(Context ctx, Sched s, G gp, List<SocketAddress> all, String where) {
    NetException first = null;
    for (int i = 0; i < all.size(); i++) {
      try {
        return dialInShare(ctx, s, gp, all.get(i), all.size() - i, where);
      } catch (NetException e) {
        first = first == null ? e : first;
      }
      check(ctx, where);
    }
    throw Objects.requireNonNull(first, "an address");
  }

  /** One that is silent must leave time for the others: each gets its part, but 2 s at least. */
  private static Conn dialInShare(
      Context ctx, Sched s, G gp, SocketAddress to, int addresses, String where) {
    Instant deadline = ctx.deadline();
    if (deadline == null || addresses == 1) {
      return dial(ctx, s, gp, to, where);
    }
    Duration part = Duration.between(Instant.now(), deadline).dividedBy(addresses);
    try (var mine = ctx.withTimeout(part.compareTo(SHORTEST) < 0 ? SHORTEST : part)) {
      return dial(mine, s, gp, to, where);
    }
  }

  private static Conn dial(Context ctx, Sched s, G gp, SocketAddress to, String where) {
    try {
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
    Chan<Void> spoiled = Chan.make();
    Context.AfterFunc watch =
        ctx.afterFunc(() -> {
          pd.setWriteDeadline(1);
          spoiled.close();
        });
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
      if (!watch.stop()) {
        // It sets the deadline now or soon. A connection that it will spoil is not handed out.
        Void _ = spoiled.receive();
        check(ctx, where);
      }
    }
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

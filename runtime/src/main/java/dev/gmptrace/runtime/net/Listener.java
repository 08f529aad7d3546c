package dev.gmptrace.runtime.net;

import dev.gmptrace.runtime.Mutex;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Netpoll;
import dev.gmptrace.runtime.sched.PollDesc;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where connections come in. Go's {@code net.Listener}. */
@SuppressWarnings("ReferenceEquality") // schedulers are identities
public final class Listener implements AutoCloseable {
  private final Sched sched;
  private final ServerSocketChannel ch;
  private final PollDesc pd;
  private final @Nullable SocketAddress at;
  private final Mutex accepting = new Mutex();
  private volatile boolean closed;

  Listener(Sched sched, ServerSocketChannel ch, PollDesc pd) throws IOException {
    this.sched = sched;
    this.ch = ch;
    this.pd = pd;
    this.at = ch.getLocalAddress();
  }

  /**
   * Waits for a connection.
   *
   * @throws NetException when the listener is closed, the deadline passed, or the system refuses
   */
  public Conn accept() {
    G gp = Proc.enter();
    if (gp == null || gp.sched() != sched) {
      Conn[] made = new Conn[1];
      Foreign.call(sched, () -> made[0] = accept());
      return made[0];
    }
    accepting.lock();
    try {
      for (; ; ) {
        if (closed) {
          throw NetException.closed(where());
        }
        if (pd.readTimedOut()) {
          throw NetException.timeout(where());
        }
        pd.prepareRead();
        SocketChannel c = Netpoll.pinned(ch::accept);
        if (c != null) {
          return made(c);
        }
        switch (pd.waitRead(gp)) {
          case READY -> {}
          case TIMEOUT -> {} // unless the deadline was moved meanwhile, the next round throws
          case CLOSED -> throw NetException.closed(where());
        }
      }
    } catch (IOException e) {
      throw closed ? NetException.closed(where()) : NetException.of(where(), e);
    } finally {
      accepting.unlock();
    }
  }

  private Conn made(SocketChannel c) throws IOException {
    try {
      c.configureBlocking(false);
      return Conn.of(sched, c, sched.netpoll().open(c));
    } catch (IOException | RuntimeException e) {
      c.close();
      throw e;
    }
  }

  /** Lets {@link #accept} wait until this long from now at most; null for ever. */
  public void setDeadline(@Nullable Duration fromNow) {
    pd.setReadDeadline(Conn.when(fromNow));
  }

  /** Where it listens, as {@link Net#dial(String)} wants it. */
  public String address() {
    return Address.text(at);
  }

  /**
   * Stops listening; an accept under way ends with an exception. The file of a unix socket is
   * removed, so that the address can be used again.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    unlink(); // first, or it could be the file of one who listens there as soon as we do not
    Conn.shut(ch, pd, where());
  }

  private void unlink() {
    if (at instanceof UnixDomainSocketAddress unix && !unix.getPath().toString().isEmpty()) {
      try {
        boolean _ = Files.deleteIfExists(unix.getPath());
      } catch (IOException e) {
        // Then it stays, as with Go; who wants to listen there is told that it is in use.
      }
    }
  }

  private String where() {
    return Net.where("accept", at, null);
  }

  @Override
  public String toString() {
    return "Listener(" + address() + (closed ? ", closed)" : ")");
  }
}

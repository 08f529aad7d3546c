package dev.gmptrace.runtime.net;

import dev.gmptrace.runtime.Mutex;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Netpoll;
import dev.gmptrace.runtime.sched.PollDesc;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection: Go's {@code net.Conn}. One goroutine may read while another writes; two that read
 * (or write) take turns. Closing it ends the reads and writes of others.
 */
@SuppressWarnings("ReferenceEquality") // schedulers are identities
public final class Conn implements AutoCloseable {
  private final Sched sched;
  private final SocketChannel ch;
  private final PollDesc pd;
  private final @Nullable SocketAddress local;
  private final @Nullable SocketAddress remote;
  private final Mutex reading = new Mutex();
  private final Mutex writing = new Mutex();
  private volatile boolean closed;

  private Conn(
      Sched sched,
      SocketChannel ch,
      PollDesc pd,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote) {
    this.sched = sched;
    this.ch = ch;
    this.pd = pd;
    this.local = local;
    this.remote = remote;
  }

  static Conn of(Sched sched, SocketChannel ch, PollDesc pd) throws IOException {
    SocketAddress local = ch.getLocalAddress();
    if (!(local instanceof UnixDomainSocketAddress)) {
      ch.setOption(StandardSocketOptions.TCP_NODELAY, true); // as Go does
    }
    return new Conn(sched, ch, pd, local, ch.getRemoteAddress());
  }

  // ---- reading ----------------------------------------------------------------------------------

  /**
   * Reads what there is, waiting for at least one byte.
   *
   * @return how many bytes; -1 at the end; 0 only when {@code into} is full
   * @throws NetException when the connection is closed or broken, or the deadline passed
   */
  public int read(ByteBuffer into) {
    G gp = Proc.enter();
    if (gp == null || gp.sched() != sched) {
      int[] n = new int[1];
      Foreign.call(sched, () -> n[0] = read(into));
      return n[0];
    }
    reading.lock();
    try {
      for (; ; ) {
        check("read", pd.readTimedOut());
        pd.prepareRead();
        int n = ch.read(into);
        if (n != 0 || !into.hasRemaining()) {
          return n;
        }
        after(pd.waitRead(gp), "read");
      }
    } catch (IOException e) {
      throw failed("read", e);
    } finally {
      reading.unlock();
    }
  }

  /** {@link #read(ByteBuffer)} into an array. */
  public int read(byte[] into, int offset, int length) {
    return read(ByteBuffer.wrap(into, offset, length));
  }

  /** {@link #read(ByteBuffer)} into an array. */
  public int read(byte[] into) {
    return read(ByteBuffer.wrap(into));
  }

  // ---- writing ----------------------------------------------------------------------------------

  /**
   * Writes all of {@code from}, waiting when the other side is slow.
   *
   * @throws NetException when the connection is closed or broken, or the deadline passed; a part
   *     may have been written then
   */
  public void write(ByteBuffer from) {
    G gp = Proc.enter();
    if (gp == null || gp.sched() != sched) {
      Foreign.call(sched, () -> write(from));
      return;
    }
    writing.lock();
    try {
      for (; ; ) {
        check("write", pd.writeTimedOut());
        pd.prepareWrite();
        int n = ch.write(from);
        if (!from.hasRemaining()) {
          return;
        }
        if (n == 0) {
          after(pd.waitWrite(gp), "write");
        }
      }
    } catch (IOException e) {
      throw failed("write", e);
    } finally {
      writing.unlock();
    }
  }

  /** {@link #write(ByteBuffer)} of a part of an array. */
  public void write(byte[] from, int offset, int length) {
    write(ByteBuffer.wrap(from, offset, length));
  }

  /** {@link #write(ByteBuffer)} of an array. */
  public void write(byte[] from) {
    write(ByteBuffer.wrap(from));
  }

  // ---- deadlines --------------------------------------------------------------------------------

  /** Lets reads and writes wait until this long from now at most; null for ever. */
  public void setDeadline(@Nullable Duration fromNow) {
    setReadDeadline(fromNow);
    setWriteDeadline(fromNow);
  }

  /** Lets reads wait until this long from now at most, also one under way; null for ever. */
  public void setReadDeadline(@Nullable Duration fromNow) {
    pd.setReadDeadline(when(fromNow));
  }

  /** Lets writes wait until this long from now at most, also one under way; null for ever. */
  public void setWriteDeadline(@Nullable Duration fromNow) {
    pd.setWriteDeadline(when(fromNow));
  }

  static long when(@Nullable Duration fromNow) {
    if (fromNow == null) {
      return 0;
    }
    if (fromNow.isNegative() || fromNow.isZero()) {
      return 1; // long past
    }
    long now = Sched.nanotime();
    return fromNow.compareTo(Duration.ofNanos(Long.MAX_VALUE - now)) >= 0
        ? 0
        : now + fromNow.toNanos();
  }

  // ---- the end ----------------------------------------------------------------------------------

  /** Tells the other side that no more will come; reading goes on. */
  public void closeWrite() {
    try {
      SocketChannel _ = Netpoll.pinned(ch::shutdownOutput);
    } catch (IOException e) {
      throw failed("close", e);
    }
  }

  /** Closes; reads and writes under way end with an exception. The second time nothing happens. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    shut(ch, pd, Net.where("close", local, remote));
  }

  static void shut(SelectableChannel ch, PollDesc pd, String where) {
    pd.evict();
    try {
      boolean _ =
          Netpoll.pinned(() -> {
            try {
              ch.close();
              return true;
            } finally {
              pd.close();
            }
          });
    } catch (IOException e) {
      throw NetException.of(where, e);
    }
  }

  // ---- for Java libraries -----------------------------------------------------------------------

  /** What comes in, as a stream; closing it closes the connection. */
  public InputStream input() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] b, int off, int len) throws IOException {
        Objects.checkFromIndexSize(off, len, b.length);
        try {
          return Conn.this.read(b, off, len);
        } catch (NetException e) {
          throw checked(e);
        }
      }

      @Override
      public void close() {
        Conn.this.close();
      }
    };
  }

  /** What goes out, as a stream without a buffer; closing it closes the connection. */
  public OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] b, int off, int len) throws IOException {
        try {
          Conn.this.write(b, off, len);
        } catch (NetException e) {
          throw checked(e);
        }
      }

      @Override
      public void close() {
        Conn.this.close();
      }
    };
  }

  private static IOException checked(NetException e) {
    return new IOException(e.getMessage(), e);
  }

  /** This side. */
  public String localAddress() {
    return Address.text(local);
  }

  /** The other side. */
  public String remoteAddress() {
    return Address.text(remote);
  }

  @Override
  public String toString() {
    return "Conn(" + localAddress() + "->" + remoteAddress() + (closed ? ", closed)" : ")");
  }

  private void check(String op, boolean timedOut) {
    if (closed) {
      throw NetException.closed(Net.where(op, local, remote));
    }
    if (timedOut) {
      throw NetException.timeout(Net.where(op, local, remote));
    }
  }

  private void after(PollDesc.Wait how, String op) {
    switch (how) {
      case READY -> {}
      case TIMEOUT -> {} // unless the deadline was moved meanwhile, the next check throws
      case CLOSED -> throw NetException.closed(Net.where(op, local, remote));
    }
  }

  private NetException failed(String op, IOException e) {
    String where = Net.where(op, local, remote);
    return closed ? NetException.closed(where) : NetException.of(where, e);
  }
}

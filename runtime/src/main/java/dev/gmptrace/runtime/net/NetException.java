package dev.gmptrace.runtime.net;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What went wrong on the network: which operation, between which addresses, and why. */
public final class NetException extends UncheckedIOException {
  private static final long serialVersionUID = 1L;

  /** Kinds that programs tell apart. */
  enum Kind {
    OTHER,
    TIMEOUT,
    CLOSED
  }

  private final Kind kind;

  NetException(String where, Kind kind, IOException cause) {
    super(where + ": " + cause.getMessage(), cause);
    this.kind = kind;
  }

  static NetException timeout(String where) {
    return new NetException(where, Kind.TIMEOUT, new IOException("i/o timeout"));
  }

  static NetException closed(String where) {
    return new NetException(
        where, Kind.CLOSED, new IOException("use of closed network connection"));
  }

  static NetException of(String where, IOException cause) {
    return new NetException(where, Kind.OTHER, cause);
  }

  /** A deadline passed: "i/o timeout". */
  public boolean isTimeout() {
    return kind == Kind.TIMEOUT;
  }

  /** This side was closed before or meanwhile: "use of closed network connection". */
  public boolean isClosed() {
    return kind == Kind.CLOSED;
  }
}

package dev.gmptrace.runtime;

import java.time.Duration;

/**
 * The sending side of a {@link Chan}, Go's {@code chan<- T}.
 *
 * @param <T> what goes through; never null
 */
public sealed interface SendChan<T> permits Chan {
  /**
   * Sends, waiting for a receiver or for room in the buffer.
   *
   * @throws Panic "send on closed channel", also when it is closed while the caller waits
   */
  void send(T value);

  /**
   * Sends if that is possible without waiting.
   *
   * @throws Panic "send on closed channel"
   */
  boolean trySend(T value);

  /**
   * Sends, waiting at most {@code timeout}.
   *
   * @return whether it was sent
   * @throws Panic "send on closed channel"
   */
  boolean send(T value, Duration timeout);

  /**
   * Closes: nothing more can be sent. What is in the buffer can still be received.
   *
   * @throws Panic "close of closed channel", "close of nil channel"
   */
  void close();

  /** How many values are in the buffer. */
  int length();

  /** The size of the buffer; 0 for an unbuffered channel. */
  int capacity();

  /** Whether it was closed. */
  boolean isClosed();
}

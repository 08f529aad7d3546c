package dev.gmptrace.runtime;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a {@link Chan}, Go's {@code <-chan T}. A loop over it receives until the
 * channel is closed and empty:
 *
 * <pre>{@code
 * for (String line : lines) { … }      // for line := range lines { … }
 * }</pre>
 *
 * @param <T> what comes through; never null, so null can mean "no more"
 */
public sealed interface ReceiveChan<T> extends Iterable<T> permits Chan {
  /**
   * Receives, waiting for a value.
   *
   * @return null when the channel is closed and empty; Go's {@code v, ok := <-ch}
   */
  @Nullable T receive();

  /**
   * Receives from a channel that is known to have a value to come.
   *
   * @throws NoSuchElementException when the channel is closed and empty
   */
  default T take() {
    T v = receive();
    if (v == null) {
      throw new NoSuchElementException("receive on a channel that is closed and empty");
    }
    return v;
  }

  /**
   * Receives if that is possible without waiting.
   *
   * @return null when there is nothing to receive now, or ever: see {@link #isDrained}
   */
  @Nullable T tryReceive();

  /**
   * Receives, waiting at most {@code timeout}.
   *
   * @return null when nothing came in time, or nothing will: see {@link #isDrained}
   */
  @Nullable T receive(Duration timeout);

  /** How many values are in the buffer. */
  int length();

  /** The size of the buffer; 0 for an unbuffered channel. */
  int capacity();

  /** Whether the channel is closed and empty: nothing will ever come. */
  boolean isDrained();

  /** Receives with each step; ends when the channel is closed and empty. */
  @Override
  default Iterator<T> iterator() {
    return new ChanIterator<>(this);
  }
}

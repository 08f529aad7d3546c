package dev.gmptrace.runtime;

/**
 * A channel: typed values from goroutine to goroutine, in order, with Go's meaning.
 *
 * <pre>{@code
 * Chan<String> words = Chan.make();       // words := make(chan string)
 * go(() -> words.send("hello"));          // go func() { words <- "hello" }()
 * String w = words.receive();             // w := <-words
 * }</pre>
 *
 * An unbuffered channel hands a value from sender to receiver when both are there; a buffered one
 * lets senders run ahead by its capacity. Those who wait are served in the order they came. Passed
 * as {@link SendChan} or {@link ReceiveChan}, it can only be used one way, as in Go.
 *
 * <p>Null is never a value: {@code send(null)} is refused, and null from a receive means that the
 * channel is closed and empty. Every operation can be called from any thread; a thread that is no
 * goroutine becomes one while it waits.
 *
 * <p>What a goroutine did before it sent is visible to who received the value; before it closed, to
 * who saw the close; and what the receiver of the k-th value did before it received, to who sent
 * the value k + capacity: Go's memory model.
 *
 * @param <T> what goes through
 */
public sealed interface Chan<T> extends SendChan<T>, ReceiveChan<T> permits HChan, NilChan {
  /** An unbuffered channel. */
  static <T> Chan<T> make() {
    return new HChan<>(0);
  }

  /**
   * A channel with a buffer of {@code capacity} values; 0 makes it unbuffered.
   *
   * @throws Panic "makechan: size out of range"
   */
  static <T> Chan<T> make(int capacity) {
    return new HChan<>(capacity);
  }

  /**
   * Go's nil channel: nothing ever comes or goes. In a {@link Select} it is a case that is switched
   * off.
   */
  @SuppressWarnings("unchecked") // nothing comes out of it
  static <T> Chan<T> nil() {
    return (Chan<T>) NilChan.INSTANCE;
  }

  @Override
  int length();

  @Override
  int capacity();
}

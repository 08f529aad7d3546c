package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.AssertionFailedError;

/**
 * Every outcome of concurrent operations is one that some order of them explains. Lincheck searches
 * for one that is not; each test has a twin with the bug that it is there to see.
 *
 * <p>A rendezvous has no order of single operations that explains it: two must happen together.
 * What is checked there is that each value was received once, by somebody who was there while it
 * was being sent.
 *
 * <p>That, and every other operation that waits, is left to stress of our own. Lincheck knows how
 * to wait only in suspending functions of Kotlin: for it a Java method that waits for another
 * thread's next operation hangs, and most of the scenarios it makes up have such a one.
 */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinearizabilityTest {
  private static StressOptions options(Class<?> specification) {
    return new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .iterations(12)
        .invocationsPerIteration(400)
        .sequentialSpecification(specification);
  }

  // ---- a buffered channel, through its own operations and through select ------------------------

  /** What a closed or open buffer of two does, one call after the other. */
  public static class BufferSpec {
    private final ArrayDeque<Integer> buffer = new ArrayDeque<>();
    private boolean closed;

    public String trySend(int v) {
      if (closed) {
        return "panic: send on closed channel";
      }
      return "" + (buffer.size() < 2 && buffer.add(v));
    }

    public @Nullable Integer tryReceive() {
      return buffer.poll();
    }

    public String selectSend(int v) {
      return trySend(v);
    }

    public @Nullable Integer selectReceive() {
      return tryReceive();
    }

    public String close() {
      if (closed) {
        return "panic: close of closed channel";
      }
      closed = true;
      return "closed";
    }
  }

  /** The real one. */
  public static class Buffered {
    private final Chan<Integer> c = Chan.make(2);

    @Operation
    public String trySend(@Param(gen = IntGen.class, conf = "1:9") int v) {
      return text(() -> "" + c.trySend(v));
    }

    @Operation
    public @Nullable Integer tryReceive() {
      return c.tryReceive();
    }

    @Operation
    public String selectSend(@Param(gen = IntGen.class, conf = "1:9") int v) {
      Select s = new Select();
      Select.Send<Integer> _ = s.send(c, v);
      Select.Send<Integer> _ = s.send(c, v);
      return text(() -> "" + (s.tryNow() != null));
    }

    @Operation
    public @Nullable Integer selectReceive() {
      Select s = new Select();
      Select.Receive<Integer> a = s.receive(c);
      Select.Receive<Integer> b = s.receive(c);
      Select.Case chosen = s.tryNow();
      return chosen == a ? a.value() : chosen == b ? b.value() : null;
    }

    @Operation(runOnce = true)
    public String close() {
      return text(() -> {
        c.close();
        return "closed";
      });
    }

    private static String text(java.util.function.Supplier<String> op) {
      try {
        return op.get();
      } catch (Panic p) {
        return p.toString();
      }
    }
  }

  /** A buffer that looks first and acts later. */
  public static class BrokenBuffered {
    private final ConcurrentHashMap<Integer, Integer> slots = new ConcurrentHashMap<>();
    private volatile int head;
    private volatile int tail;

    @Operation
    @SuppressWarnings("NonAtomicVolatileUpdate") // the bug
    public String trySend(@Param(gen = IntGen.class, conf = "1:9") int v) {
      if (tail - head == 2) {
        return "false";
      }
      slots.put(tail, v);
      Thread.yield();
      tail++;
      return "true";
    }

    @Operation
    @SuppressWarnings("NonAtomicVolatileUpdate") // the bug
    public @Nullable Integer tryReceive() {
      if (tail == head) {
        return null;
      }
      Integer v = slots.get(head);
      Thread.yield();
      head++;
      return v;
    }
  }

  @Test
  void bufferedChannelAndSelectAreLinearizable() {
    options(BufferSpec.class).check(Buffered.class);
  }

  @Test
  void brokenBufferIsFound() {
    assertThrows(
        LincheckAssertionError.class,
        () ->
            options(BufferSpec.class)
                .minimizeFailedScenario(false)
                .iterations(60)
                .check(BrokenBuffered.class));
  }

  // ---- mutex ------------------------------------------------------------------------------------

  /** A counter. */
  public static class CounterSpec {
    private int n;

    public int increment() {
      return ++n;
    }

    public int tryIncrement() {
      return increment();
    }
  }

  /** A counter under the mutex; Lincheck's threads become goroutines when they must wait. */
  public static class Locked {
    private final Mutex mu = new Mutex();
    private int n;

    @Operation
    public int increment() {
      mu.lock();
      try {
        return ++n;
      } finally {
        mu.unlock();
      }
    }

    @Operation
    public int tryIncrement() {
      while (!mu.tryLock()) {
        Thread.onSpinWait();
      }
      int now = ++n;
      mu.unlock();
      return now;
    }
  }

  /** A counter under nothing. */
  public static class Unlocked {
    private volatile int n;

    @Operation
    public int increment() {
      int old = n;
      Thread.yield();
      n = old + 1; // the bug
      return old + 1;
    }
  }

  @Test
  void mutexIsLinearizable() {
    options(CounterSpec.class).iterations(6).check(Locked.class);
  }

  @Test
  void counterWithoutMutexIsFound() {
    assertThrows(
        LincheckAssertionError.class,
        () ->
            options(CounterSpec.class)
                .minimizeFailedScenario(false)
                .iterations(60)
                .check(Unlocked.class));
  }

  // ---- rendezvous -------------------------------------------------------------------------------

  /** Sends and receives of every kind; each hand-over must have both sides there at one moment. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void rendezvousHasBothSidesThere(int procs) {
    rendezvous(procs, (c, v) -> c.send(v, Duration.ofNanos(20_000)));
  }

  @Test
  void lostRendezvousIsFound() {
    AssertionFailedError e =
        assertThrows(
            AssertionFailedError.class,
            () ->
                rendezvous(
                    2,
                    (c, v) -> {
                      boolean _ = c.send(v, Duration.ofNanos(1));
                      return true; // the bug: a time-out too
                    }));
    assertTrue(String.valueOf(e.getMessage()).endsWith("expected: <1> but was: <0>"), e::toString);
  }

  @Test
  void repeatedRendezvousIsFound() {
    AtomicInteger sent = new AtomicInteger();
    AssertionFailedError e =
        assertThrows(
            AssertionFailedError.class,
            () ->
                rendezvous(
                    2,
                    (c, v) -> {
                      c.send(v);
                      return sent.incrementAndGet() != 7; // the bug: sent, and taken for timed out
                    }));
    assertTrue(String.valueOf(e.getMessage()).endsWith("expected: <1> but was: <2>"), e::toString);
  }

  /** One value through a channel with a time limit; false when it must be sent again. */
  private interface TimedSend {
    boolean send(Chan<Integer> c, int v);
  }

  private static void rendezvous(int procs, TimedSend timed) {
    int senders = 4;
    int each = 300;
    long[] began = new long[senders * each];
    long[] ended = new long[senders * each];
    long[] asked = new long[senders * each];
    long[] got = new long[senders * each];
    AtomicInteger[] times = new AtomicInteger[senders * each];
    java.util.Arrays.setAll(times, i -> new AtomicInteger());
    ChanTest.onProcs(
        procs,
        () -> {
          Chan<Integer> c = Chan.make();
          WaitGroup sending = new WaitGroup();
          WaitGroup receiving = new WaitGroup();
          for (int s = 0; s < senders; s++) {
            int base = s * each;
            sending.go(() -> {
              for (int v = base; v < base + each; v++) {
                began[v] = System.nanoTime();
                send(c, v, timed);
                ended[v] = System.nanoTime();
              }
            });
            int kind = s;
            receiving.go(() -> {
              for (; ; ) {
                long t = System.nanoTime();
                Integer v = receive(c, kind);
                if (v == null) {
                  if (c.isDrained()) {
                    return;
                  }
                  continue;
                }
                got[v] = System.nanoTime();
                asked[v] = t;
                times[v].incrementAndGet();
              }
            });
          }
          sending.await();
          c.close();
          receiving.await();
        });
    for (int v = 0; v < times.length; v++) {
      assertEquals(1, times[v].get(), "value " + v);
      assertTrue(began[v] <= got[v] && asked[v] <= ended[v], "nobody there for value " + v);
    }
  }

  private static void send(Chan<Integer> c, int v, TimedSend timed) {
    switch (v % 3) {
      case 0 -> c.send(v);
      case 1 -> {
        while (!timed.send(c, v)) {
          Go.gosched();
        }
      }
      default -> {
        Select s = new Select();
        Select.Send<Integer> _ = s.send(c, v);
        Select.Receive<Integer> _ = s.receive(Chan.<Integer>make());
        Select.Case _ = s.await();
      }
    }
  }

  private static @Nullable Integer receive(Chan<Integer> c, int kind) {
    switch (kind % 3) {
      case 0:
        return c.receive();
      case 1:
        return c.receive(Duration.ofNanos(20_000));
      default:
        Select s = new Select();
        Select.Receive<Integer> a = s.receive(c);
        Select.Receive<Integer> b = s.receive(c);
        return s.await() == a ? a.value() : b.value();
    }
  }
}

package dev.gmptrace.tracer.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Takes stacks, and knows those it has seen.
 *
 * <h2>Where frames come from</h2>
 *
 * A stack of a goroutine in a loop has nearly always been seen before, so what counts is what it
 * costs to recognise it. A StackWalker makes two objects and a look into a table of the JVM for
 * each frame, about 100 ns. A new Throwable makes the JVM note class, method and bytecode index of
 * each frame in plain arrays, about 17 ns, and turns them into names only when it is asked to.
 * Where the scheduler lets us see those arrays ({@link TraceSubject#backtrace}), they are hashed
 * and compared as they are, and names are made once per stack. Elsewhere a StackWalker does the
 * same more slowly. The one drawback: a Throwable notes the whole stack, however few frames are
 * wanted.
 *
 * <pre>
 *   backtrace: Object[7]      0 short[32]  number of the method in its class
 *                             1 int[32]    bytecode index, and version of a redefined class
 *                             2 Object[32] class; null ends the stack
 *                             5 the next 32 frames, or null
 * </pre>
 *
 * That is the JVM's own and may change, so {@link Backtrace} looks at the types before it believes,
 * and the classes of every new stack are held against the names that the JVM makes of it.
 *
 * <h2>The table</h2>
 *
 * Chains in an array. Readers take no lock: an entry is immutable and published by a volatile
 * store. Stacks are compared frame by frame, so two that have the same hash are still two. Entries
 * hold on to classes, so the table is emptied when a recording ends.
 */
final class Stacks {
  private static final int BUCKETS = 1 << 12;
  private static final int MAX_STACKS = 1 << 15;
  private static final StackWalker WALKER =
      StackWalker.getInstance(
          Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_REFLECT_FRAMES),
          24);

  /** An entry: what a stack looks like from inside, and the stack. */
  private record Known(RawStack raw, TraceStack stack, @Nullable Known next) {}

  private final TraceSubject subject;
  private final AtomicReferenceArray<@Nullable Known> table = new AtomicReferenceArray<>(BUCKETS);
  private final AtomicInteger ids = new AtomicInteger();

  /** Until a backtrace turns out not to be; threads that have not heard of it just try again. */
  private boolean readable = true;

  /** Under the lock of this object. */
  private int size;

  Stacks(TraceSubject subject) {
    this.subject = subject;
  }

  /** The stack of the caller without our own frames, up to so many. */
  TraceStack here(int depth) {
    if (!readable) {
      return walk(depth);
    }
    Throwable throwable = new Throwable();
    Object backtrace = subject.backtrace(throwable);
    RawStack raw = backtrace == null ? null : Backtrace.read(backtrace, depth);
    if (raw == null) {
      readable = false;
      return walk(depth);
    }
    TraceStack known = find(raw);
    if (known != null) {
      return known;
    }
    StackTraceElement[] elements = throwable.getStackTrace();
    return raw.agreesWith(elements) ? add(raw, raw.frames(elements)) : walk(depth);
  }

  /** The stack that another thread was seen with. */
  TraceStack of(StackTraceElement[] seen, int depth) {
    RawStack raw = RawStack.of(seen, depth);
    TraceStack known = find(raw);
    return known != null ? known : add(raw, raw.frames(seen));
  }

  private TraceStack walk(int depth) {
    List<StackWalker.StackFrame> frames =
        WALKER.walk(all ->
            all.dropWhile(frame -> OwnFrames.isOurs(frame.getDeclaringClass()))
                .limit(depth)
                .toList());
    RawStack raw = RawStack.of(frames);
    TraceStack known = find(raw);
    if (known != null) {
      return known;
    }
    StackTraceElement[] elements = new StackTraceElement[frames.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = frames.get(i).toStackTraceElement();
    }
    return add(raw, raw.frames(elements));
  }

  private @Nullable TraceStack find(RawStack raw) {
    for (Known k = table.get(bucket(raw)); k != null; k = k.next) {
      if (k.raw.sameAs(raw)) {
        return k.stack;
      }
    }
    return null;
  }

  private static int bucket(RawStack raw) {
    return (int) (raw.hash() >>> 32) & (BUCKETS - 1);
  }

  /** When the table is full it gets an id without being kept, which costs bytes and no more. */
  private synchronized TraceStack add(RawStack raw, List<TraceStack.Frame> frames) {
    TraceStack known = find(raw);
    if (known != null) {
      return known;
    }
    // Odd: even ids belong to constants.
    TraceStack stack =
        frames.isEmpty()
            ? TraceStack.NONE
            : new TraceStack(2 * ids.getAndIncrement() + 1, frames, false);
    if (size < MAX_STACKS) {
      int b = bucket(raw);
      table.set(b, new Known(raw, stack, table.get(b)));
      size++;
    }
    return stack;
  }

  /** Forgets what the last two generations did not use, when there is much of it. */
  synchronized void prune(int gen) {
    if (size <= MAX_STACKS / 2) {
      return;
    }
    size = 0;
    for (int b = 0; b < BUCKETS; b++) {
      Known kept = null;
      List<Known> chain = new ArrayList<>();
      for (Known k = table.get(b); k != null; k = k.next) {
        chain.add(k);
      }
      for (Known k : chain.reversed()) {
        if (k.stack.usedLately(gen)) {
          kept = new Known(k.raw, k.stack, kept);
          size++;
        }
      }
      table.set(b, kept);
    }
  }

  /** Forgets all stacks. */
  synchronized void clear() {
    for (int b = 0; b < BUCKETS; b++) {
      table.set(b, null);
    }
    size = 0;
  }
}

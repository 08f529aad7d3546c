package dev.gmptrace.tracer.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The texts and stacks of one recorder that are not constants. Bounded: when a table is full,
 * things get an id without being kept, which costs bytes in the trace and nothing else.
 *
 * <p>Stacks are told apart by a 64-bit hash of class, method and bytecode index of their frames.
 * Names of files and line numbers are only looked up for stacks that the table does not have.
 */
final class Interner {
  private static final int MAX_STRINGS = 1 << 16;
  private static final int MAX_STACKS = 1 << 15;
  private static final int MAX_TEXT = 1024;
  private static final StackWalker WALKER = StackWalker.getInstance();

  private final ConcurrentHashMap<String, TraceString> strings = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, TraceStack> stacks = new ConcurrentHashMap<>();
  private final AtomicInteger stringIds = new AtomicInteger();
  private final AtomicInteger stackIds = new AtomicInteger();

  TraceString string(String text) {
    if (text.isEmpty()) {
      return TraceString.NONE;
    }
    String kept = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    TraceString known = strings.get(kept);
    if (known != null) {
      return known;
    }
    if (strings.size() >= MAX_STRINGS) {
      return newString(kept);
    }
    return strings.computeIfAbsent(kept, this::newString);
  }

  private TraceString newString(String text) {
    // Odd: even ids belong to constants.
    return new TraceString(2 * stringIds.getAndIncrement() + 1, text, false);
  }

  TraceStack stack(int depth) {
    List<StackWalker.StackFrame> frames =
        WALKER.walk(all ->
            all.dropWhile(frame -> OwnFrames.isOurs(frame.getClassName())).limit(depth).toList());
    if (frames.isEmpty()) {
      return TraceStack.NONE;
    }
    long hash = 0;
    for (StackWalker.StackFrame frame : frames) {
      hash = mix(hash, frame.getClassName().hashCode());
      hash = mix(hash, frame.getMethodName().hashCode());
      hash = mix(hash, frame.getByteCodeIndex());
    }
    TraceStack known = stacks.get(hash);
    if (known != null) {
      return known;
    }
    if (stacks.size() >= MAX_STACKS) {
      return newStack(frames);
    }
    return stacks.computeIfAbsent(hash, h -> newStack(frames));
  }

  private TraceStack newStack(List<StackWalker.StackFrame> frames) {
    List<TraceStack.Frame> resolved = new ArrayList<>(frames.size());
    for (StackWalker.StackFrame frame : frames) {
      StackTraceElement at = frame.toStackTraceElement();
      String file = at.getFileName();
      resolved.add(
          new TraceStack.Frame(
              at.getClassName() + "." + at.getMethodName(),
              file == null ? "" : file,
              Math.max(0, at.getLineNumber())));
    }
    return new TraceStack(2 * stackIds.getAndIncrement() + 1, List.copyOf(resolved), false);
  }

  private static long mix(long hash, int value) {
    long h = (hash ^ value) * 0x9E3779B97F4A7C15L;
    return h ^ (h >>> 32);
  }

  /** Forgets what the last two generations did not use, when there is much of it. */
  void prune(int gen) {
    if (strings.size() > MAX_STRINGS / 2) {
      strings.values().removeIf(string -> !string.usedLately(gen));
    }
    if (stacks.size() > MAX_STACKS / 2) {
      stacks.values().removeIf(stack -> !stack.usedLately(gen));
    }
  }
}

package dev.gmptrace.tracer.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A stack as it is compared: for each frame an object that it belongs to, mostly its class, and a
 * number that says where in it. What these are depends on where the stack came from, so stacks from
 * different sources are different even if they look the same; that costs an entry in the table.
 */
final class RawStack {
  private final Object[] owners;
  private final long[] places;
  private final int count;
  private final long hash;

  /** How many frames were left out at the top. */
  private final int skipped;

  RawStack(Object[] owners, long[] places, int count, int skipped) {
    this.owners = owners;
    this.places = places;
    this.count = count;
    this.skipped = skipped;
    long h = count;
    for (int i = 0; i < count; i++) {
      h = (h ^ owners[i].hashCode()) * 0x9E3779B97F4A7C15L;
      h = (h ^ (h >>> 32) ^ places[i]) * 0xD6E8FEB86659FD93L;
    }
    hash = h ^ (h >>> 32);
  }

  /** Of frames that a StackWalker showed. */
  static RawStack of(List<StackWalker.StackFrame> frames) {
    int n = frames.size();
    Object[] owners = new Object[n];
    long[] places = new long[n];
    for (int i = 0; i < n; i++) {
      StackWalker.StackFrame frame = frames.get(i);
      owners[i] = frame.getDeclaringClass();
      // With the descriptor: methods of one name may call at the same index.
      int method = 31 * frame.getMethodName().hashCode() + frame.getDescriptor().hashCode();
      places[i] = (long) method << 32 | frame.getByteCodeIndex();
    }
    return new RawStack(owners, places, n, 0);
  }

  /** Of another thread's stack, as far as it is wanted. */
  static RawStack of(StackTraceElement[] seen, int depth) {
    int n = Math.min(depth, seen.length);
    return new RawStack(Arrays.copyOf(seen, n, Object[].class), new long[n], n, 0);
  }

  long hash() {
    return hash;
  }

  boolean sameAs(RawStack other) {
    if (hash != other.hash || count != other.count) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (places[i] != other.places[i] || !owners[i].equals(other.owners[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether these elements, of the whole stack, have the classes that were seen. */
  boolean agreesWith(StackTraceElement[] all) {
    if (all.length < skipped + count) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (owners[i] instanceof Class<?> type
          && !type.getName().equals(all[skipped + i].getClassName())) {
        return false;
      }
    }
    return true;
  }

  /** With names; {@code all} is the whole stack. The way into a goroutine is cut off at the end. */
  List<TraceStack.Frame> frames(StackTraceElement[] all) {
    int end = skipped + count;
    while (end > skipped && OwnFrames.leadsIntoGoroutine(all[end - 1].getClassName())) {
      end--;
    }
    List<TraceStack.Frame> frames = new ArrayList<>(end - skipped);
    for (int i = skipped; i < end; i++) {
      StackTraceElement at = all[i];
      String file = at.getFileName();
      frames.add(
          new TraceStack.Frame(
              at.getClassName() + "." + at.getMethodName(),
              file == null ? "" : file,
              Math.max(0, at.getLineNumber())));
    }
    return List.copyOf(frames);
  }
}

package dev.gmptrace.bench.worker;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;

/**
 * What this process has used so far, by the kernel's own account (getrusage): all threads, those of
 * the JIT and the collector too, and those that have ended.
 *
 * @param cpu nanoseconds, user and system
 * @param alloc bytes allocated in the heap by all threads
 * @param voluntary context switches because a thread waited
 * @param involuntary context switches because a thread's time was up
 * @param maxrss most bytes of memory it ever held
 */
public record Usage(long cpu, long alloc, long voluntary, long involuntary, long maxrss) {
  private static final int SELF = 0;

  // struct rusage on 64-bit Linux: two timevals of 16 bytes, then fourteen longs.
  private static final int SIZE = 144;
  private static final int MAXRSS = 32;
  private static final int NVCSW = 128;
  private static final int NIVCSW = 136;

  private static final MethodHandle GETRUSAGE = find();

  @SuppressWarnings("restricted")
  private static MethodHandle find() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("getrusage").orElseThrow(),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  /** As of now. */
  public static Usage now() {
    long alloc = ManagementFactoryHolder.THREADS.getTotalThreadAllocatedBytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(SIZE, 8);
      int result = (int) GETRUSAGE.invokeExact(SELF, usage);
      if (result != 0) {
        throw new IllegalStateException("getrusage returned " + result);
      }
      return new Usage(
          timeval(usage, 0) + timeval(usage, 16),
          alloc,
          usage.get(ValueLayout.JAVA_LONG, NVCSW),
          usage.get(ValueLayout.JAVA_LONG, NIVCSW),
          usage.get(ValueLayout.JAVA_LONG, MAXRSS) * 1024);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static long timeval(MemorySegment usage, long offset) {
    return usage.get(ValueLayout.JAVA_LONG, offset) * 1_000_000_000
        + usage.get(ValueLayout.JAVA_LONG, offset + 8) * 1000;
  }

  private static final class ManagementFactoryHolder {
    static final com.sun.management.ThreadMXBean THREADS =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  }
}

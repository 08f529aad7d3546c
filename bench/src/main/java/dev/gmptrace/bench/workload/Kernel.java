package dev.gmptrace.bench.workload;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Calls that block their thread in the kernel, as a database driver written in C would. */
public final class Kernel {
  private static final MethodHandle USLEEP = find();

  private Kernel() {}

  @SuppressWarnings("restricted")
  private static MethodHandle find() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("usleep").orElseThrow(),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /** Sleeps in the kernel; no scheduler of the JVM gets to know. */
  public static void usleep(int micros) {
    try {
      int result = (int) USLEEP.invokeExact(micros);
      if (result != 0) {
        throw new IllegalStateException("usleep returned " + result);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}

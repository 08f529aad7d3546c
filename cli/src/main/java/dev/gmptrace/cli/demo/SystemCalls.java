package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Blocking calls of two lengths. A short one is back before sysmon looks, and goes on with the P it
 * left behind; a long one finds that its P was handed to another M, and waits for a new one.
 */
final class SystemCalls implements Workload {
  @SuppressWarnings("restricted") // A demonstration of a thread that blocks needs one.
  private static final MethodHandle USLEEP =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("usleep"),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  @Override
  public void run(Stopwatch time) {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 4; i++) {
      all.go(() -> {
        while (time.running()) {
          sleepInTheKernel(0);
          Work.spin(200);
          Go.gosched();
        }
      });
    }
    for (int i = 0; i < 3; i++) {
      all.go(() -> {
        while (time.running()) {
          sleepInTheKernel(5000);
          Work.spin(100);
        }
      });
    }
    all.await();
  }

  /** Blocks the thread itself, as file I/O or native code would; the JDK cannot unmount it. */
  private static void sleepInTheKernel(int micros) {
    try {
      int _ = Go.syscall(() -> usleep(micros));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static int usleep(int micros) {
    try {
      return (int) USLEEP.invokeExact(micros);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}

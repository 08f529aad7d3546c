package dev.gmptrace.runtime.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler needs from the JDK beyond its public API.
 *
 * <p>Five private members of {@code java.lang} are used, all found once at class initialisation and
 * kept as constant method handles, which the JIT inlines as if they were direct calls:
 *
 * <ul>
 *   <li>{@code ThreadBuilders.newVirtualThread}: a virtual thread with a scheduler of our own;
 *   <li>{@code Thread.currentCarrierThread}: the platform thread under a virtual thread, an
 *       intrinsic; so the current M costs one load and no ThreadLocal;
 *   <li>{@code VirtualThread.state}: what became of a thread whose continuation came back;
 *   <li>{@code Thread.yield0} and {@code Thread.sleepNanos0}: give up the CPU without unmounting
 *       the virtual thread that asks, for the slow path of runtime locks;
 *   <li>the captured receiver of {@code VirtualThread.runContinuation}: whose Runnable is this.
 * </ul>
 *
 * <p>They need {@code --add-opens java.base/java.lang=ALL-UNNAMED}. Without it, or on a JDK that is
 * built differently, {@link #require()} says so in one sentence and names the way out.
 */
public final class Jdk {
  /** States of {@code java.lang.VirtualThread} that the scheduler tells apart (JDK 25). */
  public static final int VT_STARTED = 1;

  public static final int VT_RUNNING = 2;
  public static final int VT_PARKED = 4;
  public static final int VT_TIMED_PARKED = 7;
  public static final int VT_UNPARKED = 9;
  public static final int VT_YIELDED = 11;
  public static final int VT_BLOCKED = 13;
  public static final int VT_UNBLOCKED = 14;
  public static final int VT_WAIT = 16;
  public static final int VT_TIMED_WAIT = 18;
  public static final int VT_TERMINATED = 99;

  /** Set while somebody walks the stack of an unmounted thread; it cannot be mounted meanwhile. */
  public static final int VT_SUSPENDED = 1 << 8;

  private static final @Nullable MethodHandle NEW_VIRTUAL_THREAD;
  private static final @Nullable MethodHandle CURRENT_CARRIER_THREAD;
  private static final @Nullable MethodHandle STATE;
  private static final @Nullable MethodHandle YIELD0;
  private static final @Nullable MethodHandle SLEEP0;
  private static final @Nullable MethodHandle THREAD_OF;
  private static final @Nullable Throwable FAILURE;

  static {
    MethodHandle newVirtualThread = null;
    MethodHandle currentCarrierThread = null;
    MethodHandle state = null;
    MethodHandle yield0 = null;
    MethodHandle sleep0 = null;
    MethodHandle threadOf = null;
    Throwable failure = null;
    try {
      MethodHandles.Lookup lang =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
      Class<?> builders = lang.findClass("java.lang.ThreadBuilders");
      Class<?> virtual = lang.findClass("java.lang.VirtualThread");
      newVirtualThread =
          MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
              .findStatic(
                  builders,
                  "newVirtualThread",
                  MethodType.methodType(
                      Thread.class, Executor.class, String.class, int.class, Runnable.class));
      currentCarrierThread =
          lang.findStatic(
              Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
      yield0 = lang.findStatic(Thread.class, "yield0", MethodType.methodType(void.class));
      sleep0 =
          lang.findStatic(
              Thread.class, "sleepNanos0", MethodType.methodType(void.class, long.class));
      state =
          MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
              .findVarHandle(virtual, "state", int.class)
              .toMethodHandle(VarHandle.AccessMode.GET_VOLATILE)
              .asType(MethodType.methodType(int.class, Thread.class));
      threadOf = findThreadOf(newVirtualThread, lang);
    } catch (Throwable t) {
      failure = t;
    }
    NEW_VIRTUAL_THREAD = newVirtualThread;
    CURRENT_CARRIER_THREAD = currentCarrierThread;
    STATE = state;
    YIELD0 = yield0;
    SLEEP0 = sleep0;
    THREAD_OF = threadOf;
    FAILURE = failure;
  }

  private Jdk() {}

  /**
   * The Runnable that a virtual thread hands to its Executor is {@code this::runContinuation}; the
   * class of that method reference has one field, the thread. All virtual threads share the class,
   * so one throw-away thread is enough to find it.
   */
  private static MethodHandle findThreadOf(MethodHandle newVirtualThread, MethodHandles.Lookup lang)
      throws Throwable {
    Runnable[] seen = new Runnable[1];
    Executor probe = r -> seen[0] = r;
    Thread t =
        (Thread) newVirtualThread.invokeExact(probe, "gmptrace-probe", 0, (Runnable) () -> {});
    t.start();
    Runnable r = seen[0];
    Field receiver = null;
    for (Field f : r.getClass().getDeclaredFields()) {
      if (Thread.class.isAssignableFrom(f.getType())) {
        receiver = f;
      }
    }
    if (receiver == null) {
      throw new NoSuchFieldException("the thread inside " + r.getClass().getName());
    }
    receiver.setAccessible(true);
    MethodHandle getter =
        lang.unreflectGetter(receiver).asType(MethodType.methodType(Thread.class, Runnable.class));
    r.run(); // let the probe end, or it stays in the JDK's list of live threads
    return getter;
  }

  /**
   * Throws with advice when this JVM cannot run the scheduler.
   *
   * @throws UnsupportedOperationException naming what is missing and the flag that helps
   */
  public static void require() {
    Throwable failure = FAILURE;
    if (failure != null) {
      throw new UnsupportedOperationException(
          "gmptrace cannot schedule virtual threads on "
              + System.getProperty("java.vm.name")
              + " "
              + Runtime.version()
              + ": "
              + failure
              + ". It needs JDK 25 started with"
              + " --add-opens java.base/java.lang=ALL-UNNAMED"
              + " (or Add-Opens: java.base/java.lang in the manifest of an executable jar).",
          failure);
    }
  }

  /** A new, unstarted virtual thread whose scheduler is {@code scheduler}. */
  public static Thread newVirtualThread(Executor scheduler, String name, Runnable task) {
    try {
      return (Thread) handle(NEW_VIRTUAL_THREAD).invokeExact(scheduler, name, 0, task);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The platform thread that runs the caller, whether the caller is a virtual thread or not. */
  public static Thread currentCarrierThread() {
    try {
      return (Thread) handle(CURRENT_CARRIER_THREAD).invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The state field of a virtual thread, one of the {@code VT_} values, maybe with SUSPENDED. */
  public static int virtualThreadState(Thread virtual) {
    try {
      return (int) handle(STATE).invokeExact(virtual);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code sched_yield} for the carrier; a virtual thread stays mounted. */
  public static void yieldCarrier() {
    try {
      handle(YIELD0).invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Sleeps on the carrier; a virtual thread stays mounted. Ends early when interrupted. */
  public static void sleepCarrier(long nanos) {
    try {
      handle(SLEEP0).invokeExact(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The virtual thread whose continuation {@code runContinuation} runs. */
  public static Thread threadOf(Runnable runContinuation) {
    try {
      return (Thread) handle(THREAD_OF).invokeExact(runContinuation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static MethodHandle handle(@Nullable MethodHandle h) {
    if (h == null) {
      require();
      throw new AssertionError();
    }
    return h;
  }

  private static RuntimeException rethrow(Throwable t) {
    if (t instanceof RuntimeException e) {
      throw e;
    }
    if (t instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException(t);
  }
}

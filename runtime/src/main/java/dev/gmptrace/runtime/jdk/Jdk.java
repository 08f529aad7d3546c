package dev.gmptrace.runtime.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler needs from the JDK beyond its public API.
 *
 * <p>Private members of {@code java.lang} are used, all found once at class initialisation and kept
 * as constant method handles, which the JIT inlines as if they were direct calls:
 *
 * <ul>
 *   <li>{@code ThreadBuilders.newVirtualThread}: a virtual thread with a scheduler of our own;
 *   <li>{@code Thread.currentCarrierThread}: the platform thread under a virtual thread, an
 *       intrinsic; so the current M costs one load and no ThreadLocal;
 *   <li>{@code VirtualThread.state}: what became of a thread whose continuation came back;
 *   <li>{@code Thread.yield0} and {@code Thread.sleepNanos0}: give up the CPU without unmounting
 *       the virtual thread that asks, for the slow path of runtime locks;
 *   <li>{@code VirtualThread.disableSuspendAndPreempt} and its opposite: pin a virtual thread;
 *   <li>the captured receiver of {@code VirtualThread.runContinuation}: whose Runnable is this;
 *   <li>{@code Thread.asyncGetStackTrace}, past the one of {@code VirtualThread}: the stack of a
 *       thread only if it is mounted, for CPU samples;
 *   <li>{@code ApplicationShutdownHooks.hooks}: who runs when the JVM ends;
 *   <li>{@code Throwable.backtrace}: a stack before names are made of it, for traces with stacks.
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

  private static final List<String> SIGNALS =
      List.of("INT", "TERM", "HUP", "USR1", "USR2", "WINCH", "CONT", "TSTP", "ALRM", "IO");

  private static final MethodType NOTHING = MethodType.methodType(void.class);

  private static final @Nullable MethodHandle NEW_VIRTUAL_THREAD;
  private static final @Nullable MethodHandle CURRENT_CARRIER_THREAD;
  private static final @Nullable MethodHandle STATE;
  private static final @Nullable MethodHandle YIELD0;
  private static final @Nullable MethodHandle SLEEP0;
  private static final @Nullable MethodHandle THREAD_OF;
  private static final @Nullable MethodHandle PIN;
  private static final @Nullable MethodHandle UNPIN;
  private static final @Nullable Throwable FAILURE;

  /** Missing on a JVM that keeps stacks in another way; then there is a slower one. */
  private static final @Nullable MethodHandle BACKTRACE = findBacktrace();

  /** Missing: then the stacks of all threads are asked for in the public way. */
  private static final @Nullable MethodHandle STACK_IF_MOUNTED = findStackIfMounted();

  /** Missing: then nobody knows. */
  private static final @Nullable MethodHandle SHUTDOWN_HOOKS = findShutdownHooks();

  /**
   * The JDK's own choice is to poll sockets in virtual threads, which are started by the first
   * virtual thread that waits for a socket and inherit its scheduler. So they would become
   * goroutines, and when that scheduler is shut down no virtual thread of the JVM would hear of its
   * sockets again. As platform threads (mode 1) they belong to nobody. It has no effect when the
   * program has used sockets before us; then they run on the JDK's scheduler, which is as well.
   */
  private static void keepPollersOffGoroutines() {
    if (System.getProperty("jdk.pollerMode") == null) {
      System.setProperty("jdk.pollerMode", "1");
    }
  }

  static {
    keepPollersOffGoroutines();
    MethodHandle newVirtualThread = null;
    MethodHandle currentCarrierThread = null;
    MethodHandle state = null;
    MethodHandle yield0 = null;
    MethodHandle sleep0 = null;
    MethodHandle threadOf = null;
    MethodHandle pin = null;
    MethodHandle unpin = null;
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
      MethodHandles.Lookup inVirtual =
          MethodHandles.privateLookupIn(virtual, MethodHandles.lookup());
      MethodType ofThread = MethodType.methodType(void.class, Thread.class);
      pin = inVirtual.findVirtual(virtual, "disableSuspendAndPreempt", NOTHING).asType(ofThread);
      unpin = inVirtual.findVirtual(virtual, "enableSuspendAndPreempt", NOTHING).asType(ofThread);
      state =
          inVirtual
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
    PIN = pin;
    UNPIN = unpin;
    FAILURE = failure;
  }

  private Jdk() {}

  private static @Nullable MethodHandle findStackIfMounted() {
    try {
      MethodHandles.Lookup lang =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
      Class<?> virtual = lang.findClass("java.lang.VirtualThread");
      return MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
          .findSpecial(
              Thread.class,
              "asyncGetStackTrace",
              MethodType.methodType(StackTraceElement[].class),
              virtual)
          .asType(MethodType.methodType(StackTraceElement[].class, Thread.class));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle findShutdownHooks() {
    try {
      MethodHandles.Lookup lang =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
      Class<?> hooks = lang.findClass("java.lang.ApplicationShutdownHooks");
      return MethodHandles.privateLookupIn(hooks, MethodHandles.lookup())
          .findStaticVarHandle(hooks, "hooks", IdentityHashMap.class)
          .toMethodHandle(VarHandle.AccessMode.GET);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle findBacktrace() {
    try {
      return MethodHandles.privateLookupIn(Throwable.class, MethodHandles.lookup())
          .findVarHandle(Throwable.class, "backtrace", Object.class)
          .toMethodHandle(VarHandle.AccessMode.GET);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

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

  /**
   * Keeps the calling thread on its carrier until {@link #unpin}, whatever it waits for. Nothing
   * happens on a platform thread.
   *
   * @return the calling thread, for unpin
   */
  public static Thread pin() {
    Thread t = Thread.currentThread();
    if (t.isVirtual()) {
      try {
        handle(PIN).invokeExact(t);
      } catch (Throwable e) {
        throw rethrow(e);
      }
    }
    return t;
  }

  /** Ends a {@link #pin} of this thread, which is the caller. */
  public static void unpin(Thread t) {
    if (t.isVirtual()) {
      try {
        handle(UNPIN).invokeExact(t);
      } catch (Throwable e) {
        throw rethrow(e);
      }
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

  /** What the JVM notes of a throwable's stack before names are made of it; null if not visible. */
  public static @Nullable Object backtrace(Throwable throwable) {
    MethodHandle get = BACKTRACE;
    if (get == null) {
      return null;
    }
    try {
      return (@Nullable Object) get.invokeExact(throwable);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /**
   * The stack of a thread that is running, or null when it is not mounted. The public way would
   * stop an unmounted thread, and one of ours that is in a queue could then not be run meanwhile.
   */
  public static StackTraceElement @Nullable [] stackIfMounted(Thread thread) {
    MethodHandle async = STACK_IF_MOUNTED;
    if (async == null || !thread.isVirtual()) {
      return thread.getStackTrace();
    }
    try {
      return (StackTraceElement @Nullable []) async.invokeExact(thread);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The threads that will run when the JVM ends; null when it is ending, or does not tell. */
  public static @Nullable Set<Thread> shutdownHooks() {
    MethodHandle get = SHUTDOWN_HOOKS;
    if (get == null) {
      return null;
    }
    try {
      IdentityHashMap<?, ?> hooks = (@Nullable IdentityHashMap<?, ?>) get.invoke();
      if (hooks == null) {
        return null;
      }
      Set<Thread> threads = new HashSet<>();
      hooks.keySet().forEach(hook -> threads.add((Thread) hook));
      return threads;
    } catch (ConcurrentModificationException e) {
      return null; // asked again later
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /**
   * Whether the program handles signals itself. Only by putting another handler in its place does
   * the JDK tell which one was there; it is put back at once.
   */
  public static boolean handlesSignals() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle make =
          lookup.findConstructor(signal, MethodType.methodType(void.class, String.class));
      MethodHandle handle =
          lookup.findStatic(signal, "handle", MethodType.methodType(handler, signal, handler));
      Object ignore = handler.getField("SIG_IGN").get(null);
      for (String name : SIGNALS) {
        try {
          Object s = make.invoke(name);
          Object old = handle.invoke(s, ignore);
          Object _ = handle.invoke(s, old);
          if (old != null && old.getClass().getClassLoader() != null) {
            return true;
          }
        } catch (IllegalArgumentException e) {
          // The system does not know it, or the JVM keeps it for itself.
        }
      }
      return false;
    } catch (ReflectiveOperationException e) {
      return false; // without the module jdk.unsupported nobody can have set one
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

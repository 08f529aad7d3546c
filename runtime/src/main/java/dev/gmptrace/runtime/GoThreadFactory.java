package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.ThreadStarter;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads that are goroutines, for servers, pools and libraries that take a ThreadFactory.
 * They are ordinary virtual threads: join, interrupt, uncaught-exception handlers, ThreadLocals and
 * inheritable ThreadLocals work.
 */
public final class GoThreadFactory implements ThreadFactory {
  private final Sched sched;
  private final @Nullable String prefix;
  private final AtomicLong next = new AtomicLong();
  private final Thread.@Nullable UncaughtExceptionHandler handler;

  private GoThreadFactory(
      Sched sched, @Nullable String prefix, Thread.@Nullable UncaughtExceptionHandler handler) {
    this.sched = sched;
    this.prefix = prefix;
    this.handler = handler;
  }

  /** Unnamed threads on {@code sched}. */
  public static GoThreadFactory on(Sched sched) {
    return new GoThreadFactory(sched, null, null);
  }

  /** The same with threads named prefix0, prefix1, …. */
  public GoThreadFactory named(String threadPrefix) {
    return new GoThreadFactory(sched, threadPrefix, handler);
  }

  /** The same with a handler for what the threads do not catch. */
  public GoThreadFactory uncaught(Thread.UncaughtExceptionHandler h) {
    return new GoThreadFactory(sched, prefix, h);
  }

  @Override
  public Thread newThread(Runnable task) {
    String name = prefix == null ? "" : prefix + next.getAndIncrement();
    Thread t = ThreadStarter.newThread(sched, name, task);
    if (handler != null) {
      t.setUncaughtExceptionHandler(handler);
    }
    return t;
  }
}

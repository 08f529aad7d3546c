package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.WaitReason;
import dev.gmptrace.runtime.sched.Waiter;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Go's nil channel. There is one for all, so it has no queues: strangers would meet there. Who
 * waits on it waits for the time only, or for ever.
 */
final class NilChan<T> implements Chan<T> {
  static final NilChan<?> INSTANCE = new NilChan<>();

  private static final long FOREVER = Long.MAX_VALUE;

  private NilChan() {}

  @Override
  public void send(T value) {
    sendable(value);
    await(FOREVER, WaitReason.CHAN_SEND_NIL);
  }

  @Override
  public boolean trySend(T value) {
    sendable(value);
    return false;
  }

  @Override
  public boolean send(T value, Duration timeout) {
    sendable(value);
    await(Time.nanos(timeout), WaitReason.CHAN_SEND_NIL);
    return false;
  }

  private static void sendable(Object value) {
    Objects.requireNonNull(value, "null cannot be sent on a channel");
  }

  @Override
  public @Nullable T receive() {
    await(FOREVER, WaitReason.CHAN_RECEIVE_NIL);
    return null;
  }

  @Override
  public @Nullable T tryReceive() {
    return null;
  }

  @Override
  public @Nullable T receive(Duration timeout) {
    await(Time.nanos(timeout), WaitReason.CHAN_RECEIVE_NIL);
    return null;
  }

  private static void await(long nanos, WaitReason reason) {
    G gp = Proc.enter();
    if (nanos <= 0) {
      return;
    }
    if (gp == null) {
      Foreign.call(Go.sched(), () -> await(nanos, reason));
      return;
    }
    if (nanos != FOREVER) {
      Waiter.sleep(gp, nanos, reason);
      return;
    }
    for (; ; ) {
      Proc.gopark(gp, null, null, reason);
    }
  }

  @Override
  public void close() {
    throw new Panic("close of nil channel");
  }

  @Override
  public int length() {
    return 0;
  }

  @Override
  public int capacity() {
    return 0;
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public boolean isDrained() {
    return false;
  }

  @Override
  public String toString() {
    return "Chan(nil)";
  }
}

package dev.gmptrace.tracer.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The hand-over of {@link BufferCore} under jcstress: a thread writes one event while the writer
 * moves the generation on and takes what was written. Run by {@link HandOverStressTest}.
 */
public final class HandOverStress {
  private HandOverStress() {}

  /** The real buffer. */
  @JCStressTest
  @State
  @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Written into 1 and taken.")
  @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Written into 2; 1 was empty.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Written into 1 behind the writer's back.")
  public static class Fenced implements TraceSubject, ChunkSource {
    private final Tracer tracer = new Tracer(this, TraceOptions.DEFAULTS);
    private final TraceThread thread = tracer.newThread(0, "M0");
    private final TraceBuffer buffer = thread.buffer();

    public Fenced() {
      tracer.beginSession(this, 1);
    }

    @Actor
    public void owner(II_Result r) {
      buffer.begin(thread, 0);
      buffer.globalGet(1);
      r.r1 = buffer.gen;
      buffer.end();
    }

    @Actor
    public void writer(II_Result r) {
      tracer.moveTo(2);
      long seen = buffer.sectionVolatile();
      while (buffer.inSection(seen)) {
        Thread.onSpinWait();
      }
      Slot slot = buffer.slotOf(1);
      r.r2 = slot.events;
    }

    @Override
    public Chunk takeChunk(boolean ofProc) {
      return new Chunk(2048);
    }

    @Override
    public void handOver(Chunk full) {}

    @Override
    public void forEachG(Consumer<? super TracedG> visitor) {}

    @Override
    public void forEachP(Consumer<? super TracedP> visitor) {}

    @Override
    public @Nullable TraceThread currentThread() {
      return null;
    }

    @Override
    public @Nullable TraceBuffer currentBuffer() {
      return null;
    }

    @Override
    public @Nullable TracedG hold() {
      return null;
    }
  }

  /**
   * The broken twin: the same steps, but the section is opened with a release store, so the read of
   * the generation may overtake it. It must be seen to fail.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Written into 1 and taken.")
  @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Written into 2; 1 was empty.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Written into 1 behind the writer's back.")
  public static class Unfenced {
    private static final VarHandle SEQ;

    static {
      try {
        SEQ = MethodHandles.lookup().findVarHandle(Unfenced.class, "seq", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    @SuppressWarnings("UnusedVariable") // through SEQ
    private long seq;

    private volatile int generation = 1;
    private int eventsInOne;
    private int eventsInTwo;

    @Actor
    public void owner(II_Result r) {
      SEQ.setRelease(this, 1L);
      int gen = generation;
      if (gen == 1) {
        eventsInOne = 2;
      } else {
        eventsInTwo = 2;
      }
      r.r1 = gen + 0 * eventsInTwo;
      SEQ.setRelease(this, 2L);
    }

    @Actor
    public void writer(II_Result r) {
      generation = 2;
      while ((long) SEQ.getVolatile(this) == 1) {
        Thread.onSpinWait();
      }
      r.r2 = eventsInOne;
    }
  }
}

package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import dev.gmptrace.tracer.wire.Varint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link TraceBuffer} that is not about particular events: sections, chunks, segments
 * and statuses.
 *
 * <h2>The hand-over</h2>
 *
 * A buffer has one owner at a time: the thread that holds the P. The writer thread must be able to
 * take what the owner has written in a generation without ever making it wait.
 *
 * <ol>
 *   <li>The owner opens a section: it makes {@code seq} odd with a volatile store, and then reads
 *       the generation. The store comes before the read in the one order of volatile accesses.
 *   <li>It writes into the slot of that generation's parity, with plain stores.
 *   <li>It closes the section: it makes {@code seq} even with a release store.
 *   <li>The writer moves the generation from g to g + 1 with a volatile store, and then reads
 *       {@code seq}, once if it is even, until it changes if it is odd.
 *   <li>Now the slot of g's parity is the writer's. Either the owner's store of an odd {@code seq}
 *       came after our read of it in the order of volatile accesses: then its read of the
 *       generation came after our store, and the section is one of g + 1. Or it came before: then
 *       we have waited for the release store that ended the section, and see all that it wrote.
 *   <li>The writer empties the slot before it moves on to g + 2, whose volatile store publishes the
 *       empty slot to the owner.
 * </ol>
 *
 * Without the fence between 1's store and its read, the owner could read g, be overtaken by the
 * whole of 4, and write into a slot that the writer takes at the same time. {@code
 * HandOverStressTest} has a twin without it, and sees just that.
 *
 * <h2>Sections that are never closed</h2>
 *
 * The stack of a goroutine may overflow anywhere inside of a section, even where it is about to be
 * closed. So nothing of an event counts before {@link #done}, which is stores only, and whoever
 * runs on a user's stack says by one more store that the section is {@link #broken}. Then it is
 * over for the writer, and the next section of the buffer counts an event as lost and goes on.
 * Where nobody could say so, the next section looks whether there is a section around it. A section
 * that stays open for long all the same is given up, see {@link #giveUp}.
 *
 * <h2>When there is no chunk</h2>
 *
 * Events are dropped and counted, the number of the thread's segments skips one, and whatever the
 * event was about is marked unknown, so that its next event is preceded by a status again. The
 * count goes into the trace as EventsLost with the next chunk, or by the writer at the generation's
 * end.
 */
abstract sealed class BufferCore extends LeftPadding permits EventBytes {
  private static final VarHandle SEQ;

  static {
    try {
      SEQ = MethodHandles.lookup().findVarHandle(BufferCore.class, "seq", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int SEGMENT = EventType.SEGMENT.id();
  private static final int EVENTS_LOST = EventType.EVENTS_LOST.id();
  private static final int M_STATUS = EventType.M_STATUS.id();
  private static final int GO_STATUS_INFO = EventType.GO_STATUS_INFO.id();
  private static final int PROC_STATUS_INFO = EventType.PROC_STATUS_INFO.id();

  /** A chunk with less room than this gets no new segment. */
  private static final int SEGMENT_ROOM = 5 * EventType.MAX_BYTES;

  /** As the state that an event expects this buffer's P to be in: whatever it is. */
  static final int ANY = 0;

  /** Running, unless the trace has said something else in this generation. */
  static final int ANY_KNOWN = -1;

  final Tracer tracer;
  final @Nullable TracedP proc;
  private Slot even = new Slot();
  private Slot odd = new Slot();

  /** Odd while a section is open. */
  private long seq;

  /** The open section was left by an exception: it is over, though nobody has closed it. */
  volatile boolean broken;

  /** The section that the writer waits for no longer. */
  private long givenUp = -1;

  // Of the open section.
  Slot slot = even;
  @Nullable TraceThread thread;
  int gen;
  int genBits;
  long now;
  long delta;

  BufferCore(Tracer tracer, @Nullable TracedP proc) {
    this.tracer = tracer;
    this.proc = proc;
  }

  /**
   * Opens a section: all events up to {@link #end()} share one reading of the clock. The caller
   * must not block, park or yield inside of it.
   *
   * @return false if nothing is being recorded; then there is no section and nothing to end
   */
  public final boolean begin(TraceThread thread) {
    return open(thread) && stamp(thread, System.nanoTime());
  }

  /**
   * As {@link #begin(TraceThread)}, with a {@link System#nanoTime()} that the caller has already.
   */
  public final boolean begin(TraceThread thread, long nanoTime) {
    return open(thread) && stamp(thread, nanoTime);
  }

  private boolean open(TraceThread thread) {
    long s = seq;
    if ((s & 1) != 0) {
      return reopen(thread);
    }
    SEQ.setVolatile(this, s + 1);
    int g = tracer.generation();
    if (g == 0) {
      SEQ.setRelease(this, s + 2);
      return false;
    }
    if (this.thread != thread) { // a store of a reference costs more than a look
      this.thread = thread;
    }
    gen = g;
    genBits = g << TraceMark.STATE_BITS;
    return true;
  }

  /** Opens a section where one was open: it was left, or is open around this one. */
  private boolean reopen(TraceThread thread) {
    if (!broken && OpenSections.isInside()) {
      tracer.nested();
      return false;
    }
    // In this order: the writer must not take this section for the broken one.
    broken = false;
    SEQ.setVolatile(this, seq + 2);
    int g = tracer.generation();
    if (g == 0) {
      SEQ.setRelease(this, seq + 1);
      return false;
    }
    this.thread = thread;
    gen = g;
    genBits = g << TraceMark.STATE_BITS;
    slot = slotOf(g);
    now = TraceClock.now();
    drop();
    return true;
  }

  private boolean stamp(TraceThread thread, long nanoTime) {
    Slot s = (gen & 1) == 0 ? even : odd;
    if (slot != s) {
      slot = s;
    }
    long t = TraceClock.ticks(nanoTime);
    if (thread.slot == s && s.writer == thread) {
      // A time that the caller has had for a while may lie before the last event.
      t = Math.max(t, s.time);
      delta = t - s.time;
    } else {
      s.limit = -1;
    }
    now = t;
    return true;
  }

  /** Closes the section. */
  public final void end() {
    SEQ.setRelease(this, seq + 1);
  }

  /** The number of the section: even when none is open. For the writer. */
  final long sectionVolatile() {
    return (long) SEQ.getVolatile(this);
  }

  /** Whether the section of that number, seen before, is still open. */
  final boolean inSection(long seen) {
    return (seen & 1) != 0 && !broken && sectionVolatile() == seen && seen != givenUp;
  }

  /**
   * By the writer: waits no longer for the end of a section of that number, of generation {@code
   * generation}. If there is somebody in it after all, the slot is theirs to write into, with its
   * chunk; nobody else will look at it. Returns how many events go with it at least.
   */
  final long giveUp(long seen, int generation) {
    givenUp = seen;
    Slot left = slotOf(generation);
    if ((generation & 1) == 0) {
      even = new Slot();
    } else {
      odd = new Slot();
    }
    return 1 + left.events + left.lostTotal;
  }

  /** By the writer, while nothing is recorded: leaves what is written to whoever may be at it. */
  final void discard() {
    even = new Slot();
    odd = new Slot();
  }

  /** The slot of a generation, which is the writer's after the hand-over. */
  final Slot slotOf(int generation) {
    return (generation & 1) == 0 ? even : odd;
  }

  // ---- room for an event

  /** Makes room for an event; false if it must be dropped. */
  final boolean room(int procState) {
    return slot.pos <= slot.limit || refill(procState);
  }

  /** Gets a chunk if need be, and starts a segment. */
  private boolean refill(int procState) {
    Slot s = slot;
    TraceThread t = currentThread();
    if (s.chunk == null || s.pos > s.bytes.length - SEGMENT_ROOM) {
      Chunk full = s.chunk;
      if (full != null) {
        OpenSections.needStack();
        seal(s, full);
        s.chunk = null;
        s.bytes = Slot.NO_BYTES;
        s.limit = -1;
        s.writer = null;
        tracer.handOver(full);
      }
      Chunk fresh = tracer.takeChunk(proc != null);
      if (fresh == null) {
        return false;
      }
      fresh.generation = gen;
      fresh.p = proc == null ? -1 : proc.procId;
      fresh.thread = t.id;
      fresh.time = now;
      s.chunk = fresh;
      s.bytes = fresh.bytes;
      s.pos = Chunk.START;
      s.events = 0;
    }
    startSegment(s, t, procState);
    return true;
  }

  /** Notes in a chunk what its slot knows of it. */
  static void seal(Slot s, Chunk chunk) {
    chunk.end = s.pos;
    chunk.events = s.events;
  }

  private void startSegment(Slot s, TraceThread t, int procState) {
    int first = touchThread(t);
    byte[] b = s.bytes;
    int i = s.pos;
    int number = t.segments;
    int events = s.events + 1;
    b[i++] = (byte) SEGMENT;
    i = Varint.put(b, i, Varint.zigzag(t.id));
    i = Varint.put(b, i, number);
    i = Varint.put(b, i, now);
    if (s.lost > 0) {
      b[i++] = (byte) EVENTS_LOST;
      b[i++] = 0;
      i = Varint.put(b, i, s.lost);
      i = Varint.put(b, i, s.lostFrom);
      i = Varint.put(b, i, s.lostTo);
      events++;
    }
    if (first != 0) {
      b[i++] = (byte) M_STATUS;
      b[i++] = 0;
      i = Varint.put(b, i, Varint.zigzag(t.id));
      b[i++] = (byte) first;
      events++;
    }
    t.segments = number + 1;
    t.gap = false;
    t.slot = s;
    s.writer = t;
    s.limit = b.length - EventType.MAX_BYTES;
    s.lost = 0;
    s.events = events;
    s.pos = i;
    s.time = now;
    delta = 0;
    TracedP p = proc;
    if (p == null || procState == ANY) {
      return;
    }
    if (procState == ANY_KNOWN) {
      if (TraceMark.generation(p.mark) != gen || TraceMark.state(p.mark) == TraceMark.UNKNOWN) {
        procStatus(p, ProcStatus.RUNNING, t.id);
      }
    } else if ((int) p.mark != (genBits | procState)) {
      procStatus(p, procState, t.id);
    }
  }

  /**
   * Brings the thread into the generation. The state to tell of it if this is its first segment
   * there and the state is known; otherwise 0.
   */
  private int touchThread(TraceThread t) {
    long mark = t.mark;
    int last = TraceMark.generation(mark);
    if (last == gen) {
      return 0;
    }
    int state = last >= tracer.firstGeneration() ? TraceMark.state(mark) : 0;
    t.mark = TraceMark.touch(mark, gen, state);
    t.segments = 0;
    t.gap = false;
    return state;
  }

  final TraceThread currentThread() {
    TraceThread t = thread;
    if (t == null) {
      throw new IllegalStateException("an event outside of a section: call begin() first");
    }
    return t;
  }

  // ---- what is dropped

  /** Counts an event that found no room. */
  final void drop() {
    Slot s = slot;
    if (s.lost++ == 0) {
      s.lostFrom = now;
    }
    s.lostTo = now;
    s.lostTotal++;
    s.writer = null;
    s.limit = -1;
    TraceThread t = currentThread();
    touchThread(t);
    t.slot = null;
    if (!t.gap) {
      t.gap = true;
      t.segments++;
    }
    TracedP p = proc;
    if (p != null) {
      p.mark = TraceMark.touch(p.mark, gen, TraceMark.UNKNOWN);
    }
  }

  final void drop(TracedG g) {
    drop();
    g.mark = TraceMark.touch(g.mark, gen, TraceMark.UNKNOWN);
    g.seq++;
    g.last = null;
  }

  final void drop(TracedP p) {
    drop();
    p.mark = TraceMark.touch(p.mark, gen, TraceMark.UNKNOWN);
    p.seq++;
    p.last = null;
  }

  // ---- statuses

  /**
   * Makes sure that the trace has said in this generation that {@code g} is in that state. It
   * mostly has: then this is one comparison.
   *
   * @return false if there is no room for saying so
   */
  final boolean isOrSay(TracedG g, int state, int procState) {
    return (int) g.mark == (genBits | state) || goStatus(g, state, procState);
  }

  /** As above, for a P; {@code holder} is the thread that it is with. */
  final boolean isOrSay(TracedP p, int state, int holder) {
    return (int) p.mark == (genBits | state) || procStatus(p, state, holder);
  }

  /**
   * Says what {@code g} is doing, because an event is about to follow that needs it to be so and
   * the trace has not said so in this generation. Said twice in one generation, it is a resync: an
   * event is missing.
   *
   * @return false if there is no room
   */
  private boolean goStatus(TracedG g, int state, int procState) {
    if (!room(procState)) {
      return false;
    }
    Slot s = slot;
    TraceThread t = currentThread();
    int before = TraceMark.generation(g.mark);
    if (before == gen) {
      s.resyncs++;
    }
    TraceString reason = TraceString.NONE;
    if (state == GoStatus.WAITING) {
      reason = before >= tracer.firstGeneration() ? g.reason : g.traceWaitReason();
      use(reason);
    }
    boolean onThread = state == GoStatus.RUNNING || state == GoStatus.SYSCALL;
    byte[] b = s.bytes;
    int i = s.pos;
    b[i++] = (byte) GO_STATUS_INFO;
    i = Varint.put(b, i, delta);
    i = Varint.put(b, i, g.goid);
    i = Varint.put(b, i, Varint.zigzag(onThread ? t.id : -1));
    b[i++] = (byte) state;
    i = Varint.put(b, i, g.entry.stack.id);
    i = Varint.put(b, i, reason.id);
    done(s, i);
    g.mark = TraceMark.touch(g.mark, gen, state);
    g.seq = 0;
    g.last = t;
    return true;
  }

  private boolean procStatus(TracedP p, int state, int holder) {
    if (!room(ANY)) {
      return false;
    }
    Slot s = slot;
    TraceThread t = currentThread();
    if (TraceMark.generation(p.mark) == gen) {
      s.resyncs++;
    }
    boolean onThread = state == ProcStatus.RUNNING || state == ProcStatus.SYSCALL;
    byte[] b = s.bytes;
    int i = s.pos;
    b[i++] = (byte) PROC_STATUS_INFO;
    i = Varint.put(b, i, delta);
    i = Varint.put(b, i, p.procId);
    b[i++] = (byte) state;
    i = Varint.put(b, i, Varint.zigzag(onThread ? holder : -1));
    done(s, i);
    p.mark = TraceMark.touch(p.mark, gen, state);
    p.seq = 0;
    p.last = t;
    return true;
  }

  // ---- small things of the encoders

  final void done(Slot s, int pos) {
    s.pos = pos;
    s.events++;
    s.time = now;
    delta = 0;
  }

  /** The sequence number of an event about {@code g}, as it goes into the trace. */
  final long nextSeq(TracedG g) {
    int n = ++g.seq;
    if (g.last == thread) {
      return 0;
    }
    g.last = thread;
    return n;
  }

  final long nextSeq(TracedP p) {
    int n = ++p.seq;
    if (p.last == thread) {
      return 0;
    }
    p.last = thread;
    return n;
  }

  /** Makes sure that the tables of this generation will hold what an event refers to. */
  final void use(Interned thing) {
    if (!thing.constant) {
      tracer.use(thing, gen);
    }
  }
}

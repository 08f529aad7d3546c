package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.proto.ClockSnapshot;
import dev.gmptrace.tracer.wire.proto.EndOfGeneration;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread behind all recordings of one {@link Tracer}: it takes full chunks, ends generations
 * and feeds the sinks. All its state is its own, but for the queue, the pools and the calls.
 *
 * <p>The end of generation g:
 *
 * <ol>
 *   <li>Gather whatever has had no event in g, with its state ({@link Untraced}).
 *   <li>Write the first packets of g + 1, and move the generation on.
 *   <li>For every buffer, wait until no section of g is open, and take its chunk of g ({@link
 *       BufferCore}). From here on, nobody writes into g.
 *   <li>Empty the queue, which holds all other chunks of g.
 *   <li>Write the statuses of what is still untouched, then the tables of what g used.
 *   <li>When the JVM has told of its garbage collections in g, write those and the end of g. That
 *       may be a second later, and batches of g + 1 come in between.
 * </ol>
 */
final class TraceWriter implements ChunkSource, Runnable {
  private static final System.Logger LOG = System.getLogger(TraceWriter.class.getName());
  private static final int SPINS = 200;
  private static final long SECTION_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long JVM_EVENTS_PATIENCE_TICKS = 3 * FileFormat.TICKS_PER_SECOND;

  private final Tracer tracer;
  private final TraceOptions options;
  private final FullChunks full = new FullChunks();
  private final ChunkPool procChunks;
  private final ChunkPool threadChunks;
  private final WriterCalls calls = new WriterCalls();
  private final Thread thread;
  private volatile boolean asleep;
  private volatile boolean stopped;

  private final PacketWriter packets = new PacketWriter();
  private final TableWriter tables;
  private final Untraced untraced = new Untraced();
  private final StreamEncoder recorderStream;
  private final StreamEncoder jvmStream;
  private final StreamEncoder cpuStream;
  private final List<Sink> sinks = new ArrayList<>();
  private final List<Sink> arriving = new ArrayList<>();
  private final List<Generation> ended = new ArrayList<>();
  private @Nullable Generation current;
  private @Nullable JvmEvents jvm;
  private @Nullable CpuSampler sampler;
  private long deadline;
  private int visited;

  TraceWriter(Tracer tracer, TraceOptions options) {
    this.tracer = tracer;
    this.options = options;
    procChunks = new ChunkPool(options.bufferBytes(), options.poolBuffers());
    threadChunks =
        new ChunkPool(
            options.threadBufferBytes(), TraceOptions.THREAD_BUFFERS * options.poolBuffers());
    tables = new TableWriter(tracer);
    recorderStream =
        new StreamEncoder(FileFormat.RECORDER_STREAM, options.bufferBytes(), this::emitBatch);
    jvmStream = new StreamEncoder(FileFormat.JVM_STREAM, 16 << 10, this::emitBatch);
    cpuStream = CpuSampler.encoder(this::emitBatch);
    thread = new Thread(this, "gmptrace-writer");
    thread.setDaemon(true);
    thread.start();
  }

  // ---- called by threads in a section

  @Override
  public @Nullable Chunk takeChunk(boolean ofProc) {
    return ofProc
        ? procChunks.take(tracer.procBuffers.get())
        : threadChunks.take(tracer.threadBuffers.get());
  }

  @Override
  public void handOver(Chunk chunk) {
    full.put(chunk);
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  // ---- called by whoever starts and stops recordings

  /** Runs something on the writer thread and waits for it, see {@link WriterCalls#run}. */
  void call(Runnable action) {
    calls.run(action, () -> LockSupport.unpark(thread));
  }

  /** Whether it can record no more. Its recordings have ended, and say why. */
  boolean failed() {
    return calls.failed();
  }

  /** Whether there is nothing left to do. Only exact while no call is running. */
  boolean idle() {
    return current == null;
  }

  List<Sink> sinks() {
    return sinks;
  }

  void shutDown() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  // ---- the thread

  @Override
  public void run() {
    try {
      record();
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void record() {
    while (!stopped) {
      boolean worked = drain();
      worked |= calls.runNext();
      long now = System.nanoTime();
      if (current != null && (now - deadline >= 0 || sinkWantsNewGeneration())) {
        advance(true);
        worked = true;
      }
      closeEnded(false);
      if (!worked) {
        sleep(current == null ? TimeUnit.SECONDS.toNanos(1) : deadline - now);
      }
    }
  }

  /**
   * Out of memory, say, or a fault of ours. The program must go on as if nothing had been recorded,
   * and nobody may wait for this thread: it ends what is being recorded, and tells the sinks and
   * whoever waits.
   */
  private void fail(Throwable why) {
    tracer.breakOff();
    current = null;
    calls.fail(why);
    try {
      sinks.addAll(arriving);
      for (Sink sink : sinks) {
        sink.breakOff(why);
      }
    } finally {
      calls.answerAll(why);
    }
    LOG.log(System.Logger.Level.ERROR, "recording ends, because the trace recorder failed", why);
    CpuSampler samples = sampler;
    if (samples != null) {
      samples.stop();
    }
    JvmEvents events = jvm;
    if (events != null) {
      events.stop();
    }
  }

  /**
   * Sleeps until there is something to do. {@code asleep} is set before the queue is looked at, and
   * a thread that hands over a chunk looks at it after it has put the chunk in: one of the two sees
   * the other.
   */
  private void sleep(long nanos) {
    asleep = true;
    if (full.isEmpty() && calls.isEmpty() && !stopped) {
      long most = ended.isEmpty() ? nanos : Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(50));
      LockSupport.parkNanos(this, Math.max(1, most));
    }
    asleep = false;
  }

  /**
   * Takes what is in the queue now; what comes meanwhile must not keep a generation from ending.
   */
  private boolean drain() {
    Chunk first = full.takeAll();
    for (Chunk chunk = first; chunk != null; ) {
      Chunk next = chunk.next;
      chunk.next = null;
      Generation generation = generationOf(chunk.generation);
      Generation open = current;
      if (generation != null) {
        emitBatch(generation, chunk);
      } else if (open != null) {
        open.lost += chunk.events;
      }
      recycle(chunk);
      chunk = next;
    }
    return first != null;
  }

  private void recycle(Chunk chunk) {
    (procChunks.owns(chunk) ? procChunks : threadChunks).giveBack(chunk);
  }

  /** Null for one that is closed: a section that was given up has gone on. */
  private @Nullable Generation generationOf(int number) {
    Generation open = current;
    if (open != null && open.number == number) {
      return open;
    }
    for (Generation generation : ended) {
      if (generation.number == number) {
        return generation;
      }
    }
    return null;
  }

  private void emitBatch(Generation generation, Chunk chunk) {
    int from =
        packets.frameBatch(
            chunk.bytes,
            Chunk.START,
            chunk.end,
            chunk.generation,
            chunk.p,
            chunk.thread,
            chunk.time,
            chunk.events);
    generation.batches++;
    generation.events += chunk.events;
    emit(generation, chunk.bytes, from, chunk.end);
  }

  private void emit(Generation generation, Packet packet) {
    byte[] frame = packets.frame(packet);
    emit(generation, frame, 0, frame.length);
  }

  private void emit(Generation generation, byte[] bytes, int from, int to) {
    for (Sink sink : sinks) {
      if (sink.gets(generation)) {
        sink.frame(generation, bytes, from, to);
      }
    }
  }

  private boolean sinkWantsNewGeneration() {
    for (Sink sink : sinks) {
      if (sink.wantsNewGeneration()) {
        return true;
      }
    }
    return false;
  }

  // ---- sinks come and go

  void attach(Sink sink) {
    arriving.add(sink);
    if (current != null) {
      advance(true);
      return;
    }
    if (tracer.brokenOff()) {
      discardLeftovers();
    }
    if (options.jvmEvents()) {
      jvm = JvmEvents.start(options.exactJvmEvents());
    }
    Generation first = startGeneration(TraceClock.now());
    current = first;
    tracer.beginSession(this, first.number);
    countProcs(first);
    if (options.cpuHz() > 0) {
      sampler = CpuSampler.start(tracer, options.cpuHz());
    }
  }

  void detach(Sink sink) {
    if (!sinks.contains(sink)) {
      return;
    }
    Generation open = current;
    sink.last = open == null ? sink.last : open.number;
    if (sinks.size() > 1) {
      advanceAndCloseAll();
    } else {
      if (sampler != null) {
        sampler.stop();
      }
      advance(false);
      sampler = null;
      JvmEvents events = jvm;
      if (events != null) {
        events.stop();
      }
      closeEnded(true);
      jvm = null;
    }
    sinks.remove(sink);
    sink.finish(packets);
    sink.finished = true;
  }

  void advanceAndCloseAll() {
    if (current != null) {
      advance(true);
      awaitJvm();
      closeEnded(true);
    }
  }

  /**
   * Waits for what the JVM has yet to tell of the generations that have ended. It may take its
   * time, and the program goes on meanwhile.
   */
  private void awaitJvm() {
    JvmEvents events = jvm;
    while (events != null && !ended.isEmpty()) {
      Generation last = ended.getLast();
      if (events.knowsAllOf(last) || TraceClock.now() - last.endTicks > JVM_EVENTS_PATIENCE_TICKS) {
        return;
      }
      drain();
      LockSupport.parkNanos(this, 500_000);
    }
  }

  // ---- generations

  private Generation startGeneration(long ticks) {
    Generation next = new Generation(tracer.nextGeneration(), ticks);
    ClockSnapshot clock = Clocks.snapshot(next.number);
    for (Sink sink : arriving) {
      sink.first = next.number;
      sink.start(Clocks.header(options, clock), packets);
      sinks.add(sink);
    }
    arriving.clear();
    emit(next, Packet.newBuilder().setClock(clock).build());
    tables.writeConstants(next, packet -> emit(next, packet));
    deadline = System.nanoTime() + options.generation().toNanos();
    countProcs(next);
    return next;
  }

  /**
   * Called before and after the scheduler learns of a generation, so that no change slips between.
   */
  private void countProcs(Generation gen) {
    int[] alive = {0};
    tracer.subject.forEachP(p -> alive[0] += p.traceStatus() == 0 ? 0 : 1);
    gen.procs = Math.max(gen.procs, alive[0]);
  }

  /** Ends the current generation, and begins another one if {@code goOn}. */
  private void advance(boolean goOn) {
    Generation old = current;
    if (old == null) {
      return;
    }
    gatherUntraced(old);
    long now = TraceClock.now();
    old.endTicks = now;
    ended.add(old);
    if (goOn) {
      Generation next = startGeneration(now);
      current = next;
      tracer.moveTo(next.number);
      countProcs(next);
    } else {
      current = null;
      tracer.endSession();
    }
    for (TraceBuffer buffer : tracer.buffers) {
      awaitSectionEnd(buffer, old);
      takeSlot(buffer, old);
    }
    tracer.taken();
    drain();
    untraced.write(tracer, old, recorderStream);
    untraced.clear();
    if (sampler != null) {
      sampler.write(old, cpuStream);
    }
    tables.writeUsed(old, packet -> emit(old, packet));
    tracer.interner.prune(old.number);
    if (goOn) {
      tracer.stacks.prune(old.number);
    } else {
      tracer.stacks.clear();
    }
    forgetClosedThreads(old);
    JvmEvents events = jvm;
    old.jvmFlushes = events == null ? 0 : events.flushes();
  }

  /** What buffers hold for a writer that failed, which is in no trace. */
  private void discardLeftovers() {
    for (TraceBuffer buffer : tracer.buffers) {
      buffer.discard();
    }
    tracer.takeUsed(0);
    tracer.takeUsed(1);
    tracer.stacks.clear();
  }

  private void gatherUntraced(Generation gen) {
    int first = tracer.firstGeneration();
    tracer.subject.forEachG(g -> {
      untraced.add(g, gen.number, first);
      if ((++visited & 0xfff) == 0) {
        drain();
      }
    });
    tracer.subject.forEachP(p -> untraced.add(p, gen.number, first));
    for (TraceThread t : tracer.threads) {
      untraced.add(t, gen.number, first);
    }
  }

  /** Waits until no section of a generation that has ended can be open on a buffer. */
  private void awaitSectionEnd(TraceBuffer buffer, Generation old) {
    long seen = buffer.sectionVolatile();
    long since = System.nanoTime();
    for (int spins = 0; buffer.inSection(seen); spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else if (System.nanoTime() - since < SECTION_PATIENCE_NANOS) {
        drain();
        LockSupport.parkNanos(this, 20_000);
      } else {
        old.lost += buffer.giveUp(seen, old.number);
        LOG.log(System.Logger.Level.WARNING, "a section of the trace recorder was never closed");
      }
    }
  }

  private void takeSlot(TraceBuffer buffer, Generation old) {
    Slot slot = buffer.slotOf(old.number);
    Chunk chunk = slot.chunk;
    if (chunk != null) {
      BufferCore.seal(slot, chunk);
      emitBatch(old, chunk);
      recycle(chunk);
    }
    if (slot.lost > 0) {
      TracedP p = buffer.proc;
      recorderStream.begin(old, p == null ? -1 : p.procId);
      recorderStream.event(
          slot.lostTo, EventType.EVENTS_LOST, slot.lost, slot.lostFrom, slot.lostTo);
      recorderStream.end();
    }
    old.lost += slot.lostTotal;
    old.resyncs += slot.resyncs;
    slot.reset();
  }

  /** A thread that ended in an earlier generation has nothing left in its buffer. */
  private void forgetClosedThreads(Generation old) {
    for (TraceThread t : tracer.closedThreads) {
      Slot next = t.buffer().slotOf(old.number + 1);
      if (current == null || (next.chunk == null && next.lostTotal == 0)) {
        tracer.closedThreads.remove(t);
        tracer.forgetBuffer(t);
      }
    }
  }

  /** Ends the files of ended generations, once the JVM has told what it did in them. */
  private void closeEnded(boolean now) {
    JvmEvents events = jvm;
    while (!ended.isEmpty()) {
      Generation oldest = ended.getFirst();
      if (!now && events != null && !events.knowsAllOf(oldest)) {
        if (TraceClock.now() - oldest.endTicks < JVM_EVENTS_PATIENCE_TICKS) {
          return;
        }
      }
      if (events != null) {
        boolean last = current == null && ended.size() == 1;
        events.write(oldest, last, jvmStream, tables, packet -> emit(oldest, packet));
      }
      ended.removeFirst();
      emit(
          oldest,
          Packet.newBuilder()
              .setEndOfGeneration(
                  EndOfGeneration.newBuilder()
                      .setGeneration(oldest.number)
                      .setStartTicks(oldest.startTicks)
                      .setEndTicks(oldest.endTicks)
                      .setBatches(oldest.batches)
                      .setEvents(oldest.events)
                      .setLostEvents(oldest.lost)
                      .setResyncs(oldest.resyncs))
              .build());
      for (Sink sink : sinks) {
        if (sink.gets(oldest)) {
          sink.generationClosed(oldest);
        }
      }
    }
  }
}

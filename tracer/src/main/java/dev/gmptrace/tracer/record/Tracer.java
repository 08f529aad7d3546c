package dev.gmptrace.tracer.record;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Records what a scheduler does. There is one for each scheduler, from its beginning; recordings
 * start and stop at any time, and cost one predictable branch per trace point while there is none.
 *
 * <pre>{@code
 * try (Recording recording = tracer.start(Path.of("trace.bin"))) {
 *   ...
 * }
 *
 * FlightRecorder flight = tracer.startFlight(10 << 20, Duration.ofSeconds(10));
 * ...
 * flight.snapshot(Path.of("just-before-it-broke.bin"));
 * }</pre>
 *
 * A file recording and a flight recorder may run side by side; both see the same generations.
 */
public final class Tracer implements AutoCloseable {
  private static final VarHandle ENABLED;

  static {
    try {
      ENABLED = MethodHandles.lookup().findVarHandle(Tracer.class, "enabled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final TraceSubject subject;
  final TraceOptions options;
  final Interner interner = new Interner();
  final Stacks stacks;
  private final EnumSet<StackOn> stackOn = EnumSet.noneOf(StackOn.class);
  final CopyOnWriteArrayList<TraceBuffer> buffers = new CopyOnWriteArrayList<>();
  final AtomicInteger procBuffers = new AtomicInteger();
  final AtomicInteger threadBuffers = new AtomicInteger();
  final CopyOnWriteArrayList<TraceThread> threads = new CopyOnWriteArrayList<>();
  final CopyOnWriteArrayList<TraceThread> closedThreads = new CopyOnWriteArrayList<>();

  private final AtomicReference<@Nullable Interned> usedEven = new AtomicReference<>();
  private final AtomicReference<@Nullable Interned> usedOdd = new AtomicReference<>();
  private final AtomicLong tasks = new AtomicLong();
  private final AtomicLong nested = new AtomicLong();

  @SuppressWarnings("UnusedVariable") // through ENABLED
  private boolean enabled;

  /** The generation that sections write into; 0 while nothing is recorded. */
  private volatile int generation;

  /** The first generation of what is being recorded now. Published by {@link #generation}. */
  private int firstGeneration = Integer.MAX_VALUE;

  /** Published by {@link #generation}. */
  private @Nullable ChunkSource session;

  /** Generations count on from one recording to the next, so that old marks are known as old. */
  private int lastGeneration;

  private @Nullable TraceWriter writer;

  private volatile boolean brokenOff;

  /** A session has ended, and the writer takes what is left in its buffers. */
  private volatile boolean taking;

  public Tracer(TraceSubject subject) {
    this(subject, TraceOptions.DEFAULTS);
  }

  public Tracer(TraceSubject subject, TraceOptions options) {
    this.subject = subject;
    this.options = options;
    this.stacks = new Stacks(subject);
    stackOn.addAll(options.stackOn());
  }

  // ---- what the scheduler holds on to

  /** The buffer of a P. To be asked for once, and kept by the P. */
  public TraceBuffer bufferFor(TracedP p) {
    TraceBuffer buffer = new TraceBuffer(this, p);
    buffers.add(buffer);
    procBuffers.incrementAndGet();
    return buffer;
  }

  /** A thread that will write events; its id must be its own among the threads that live. */
  public TraceThread newThread(int id, String name) {
    TraceThread thread = new TraceThread(this, id, name);
    threads.add(thread);
    buffers.add(thread.buffer());
    threadBuffers.incrementAndGet();
    return thread;
  }

  void forget(TraceThread thread) {
    threads.remove(thread);
    // In this order: a session that ends is over before its buffers are taken.
    if (generation == 0 && !taking) {
      forgetBuffer(thread);
    } else {
      closedThreads.add(thread);
    }
  }

  void forgetBuffer(TraceThread thread) {
    buffers.remove(thread.buffer());
    threadBuffers.decrementAndGet();
  }

  /** Whether events are wanted. */
  public boolean enabled() {
    return (boolean) ENABLED.getOpaque(this);
  }

  // ---- recordings

  /** Starts recording into a file, which is made or overwritten. */
  public Recording start(Path file) {
    try {
      OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 18);
      try {
        return start(out, true, file.toString());
      } catch (RuntimeException e) {
        out.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot record into " + file + ": " + e.getMessage(), e);
    }
  }

  /** Starts recording into a stream, which is flushed but not closed at the end. */
  public Recording start(OutputStream out) {
    return start(out, false, "a stream");
  }

  private Recording start(OutputStream out, boolean close, String what) {
    StreamSink sink = new StreamSink(out, close, what);
    attach(sink);
    return new Recording(this, sink);
  }

  /**
   * Starts a flight recorder: it keeps the last generations in memory, as many as fit into {@code
   * maxBytes} and are not older than {@code maxAge}.
   */
  public FlightRecorder startFlight(long maxBytes, Duration maxAge) {
    FlightSink sink = new FlightSink(maxBytes, maxAge);
    attach(sink);
    return new FlightRecorder(this, sink);
  }

  private synchronized void attach(Sink sink) {
    TraceWriter w = writer;
    if (w == null || w.failed()) {
      w = new TraceWriter(this, options);
      writer = w;
    }
    TraceWriter attached = w;
    call(attached, () -> attached.attach(sink));
  }

  /** Nothing can be asked of a writer that has failed, so the next recording gets another. */
  private void call(TraceWriter w, Runnable action) {
    try {
      w.call(action);
    } finally {
      if (w.failed()) {
        writer = null;
      }
    }
  }

  /** Takes a sink off; the last one stops the recorder. */
  synchronized void detach(Sink sink) {
    TraceWriter w = writer;
    if (w == null || sink.finished) {
      return;
    }
    try {
      call(w, () -> w.detach(sink));
    } catch (IllegalStateException e) {
      // The writer has failed. Whose recording this is asks the sink for the reason.
      sink.breakOff(e);
      return;
    }
    if (w.idle()) {
      w.shutDown();
      writer = null;
    }
  }

  synchronized void onWriter(Runnable action) {
    TraceWriter w = writer;
    if (w != null && !w.failed()) {
      call(w, action);
    }
  }

  /** Ends the current generation now. On the writer thread only. */
  void closeGeneration() {
    TraceWriter w = writer;
    if (w != null) {
      w.advanceAndCloseAll();
    }
  }

  /** Stops all recordings and flight recorders. */
  @Override
  public synchronized void close() {
    TraceWriter w = writer;
    if (w != null) {
      for (Sink sink : List.copyOf(w.sinks())) {
        detach(sink);
      }
    }
  }

  // ---- annotations

  /**
   * Begins a task: a piece of work with a name that may cross goroutines. Close it where the work
   * is done.
   */
  public Task task(String name) {
    return enabled() ? beginTask(name, 0) : Task.NONE;
  }

  Task beginTask(String name, long parent) {
    TraceString text = intern(name);
    TraceStack stack = stack(StackOn.USER);
    long id = tasks.incrementAndGet();
    return annotate((buffer, g) -> buffer.taskBegin(g, id, parent, text, stack))
        ? new Task(this, id)
        : Task.NONE;
  }

  /** Begins a region: a stretch of time of the calling goroutine, which must close it itself. */
  public Region region(String name) {
    return enabled() ? beginRegion(name, 0) : Region.NONE;
  }

  Region beginRegion(String name, long task) {
    TraceString text = intern(name);
    TraceStack stack = stack(StackOn.USER);
    return annotate((buffer, g) -> buffer.regionBegin(g, task, text, stack))
        ? new Region(this, task, text)
        : Region.NONE;
  }

  /** Writes a line of log. */
  public void log(String key, String value) {
    if (enabled()) {
      log(0, key, value);
    }
  }

  void log(long task, String key, String value) {
    TraceString k = intern(key);
    TraceString v = intern(value);
    TraceStack stack = stack(StackOn.USER);
    annotate((buffer, g) -> buffer.log(g, task, k, v, stack));
  }

  /** Gives the calling goroutine a label. */
  public void label(String label) {
    if (enabled()) {
      TraceString text = intern(label);
      annotate((buffer, g) -> buffer.goLabel(g, text));
    }
  }

  /** An event of the goroutine that calls. */
  interface Annotation {
    void write(TraceBuffer buffer, TracedG g);
  }

  boolean annotate(Annotation annotation) {
    // On a user's stack, which may be about to overflow: here it does no harm.
    OpenSections.needStack();
    // First: asking for it may move the goroutine to another thread.
    TracedG g = subject.hold();
    if (g == null) {
      return false;
    }
    try {
      TraceThread thread = subject.currentThread();
      TraceBuffer buffer = subject.currentBuffer();
      return thread != null && buffer != null && annotate(buffer, thread, g, annotation);
    } finally {
      subject.letGo();
    }
  }

  private static boolean annotate(
      TraceBuffer buffer, TraceThread thread, TracedG g, Annotation annotation) {
    boolean opened = false;
    try {
      opened = buffer.begin(thread);
      if (!opened) {
        return false;
      }
      annotation.write(buffer, g);
      buffer.end();
      opened = false;
      return true;
    } finally {
      if (opened) {
        buffer.broken = true;
      }
    }
  }

  /** A text that events may refer to. Not to be called inside of a section. */
  public TraceString intern(String text) {
    return interner.string(text);
  }

  /**
   * The stack of the caller for an event of that kind, or {@link TraceStack#NONE} if it is not
   * wanted. Not to be called inside of a section.
   */
  public TraceStack stack(StackOn event) {
    return wantsStacks() && stackOn.contains(event)
        ? stacks.here(options.stackDepth())
        : TraceStack.NONE;
  }

  /** Whether events are wanted, and stacks with them. */
  public boolean wantsStacks() {
    return enabled() && options.stackDepth() != 0;
  }

  // ---- for buffers

  int generation() {
    return generation;
  }

  int firstGeneration() {
    return firstGeneration;
  }

  @Nullable Chunk takeChunk(boolean ofProc) {
    return current().takeChunk(ofProc);
  }

  void handOver(Chunk full) {
    current().handOver(full);
  }

  private ChunkSource current() {
    ChunkSource source = session;
    if (source == null) {
      throw new IllegalStateException("a section while nothing is recorded");
    }
    return source;
  }

  /** Puts a thing on the list of what a generation uses, if it is not there. */
  void use(Interned thing, int gen) {
    boolean first = false;
    boolean listed = false;
    try {
      first = thing.markUsed(gen);
      if (first) {
        used(thing, gen);
      }
      listed = true;
    } finally {
      // The stack has overflown: marked and not on the list, it would be in no table.
      if (first && !listed) {
        if ((gen & 1) == 0) {
          thing.evenMark = 0;
        } else {
          thing.oddMark = 0;
        }
      }
    }
  }

  private void used(Interned thing, int gen) {
    boolean isEven = (gen & 1) == 0;
    AtomicReference<@Nullable Interned> head = isEven ? usedEven : usedOdd;
    while (true) {
      Interned next = head.get();
      if (isEven) {
        thing.evenNext = next;
      } else {
        thing.oddNext = next;
      }
      if (head.compareAndSet(next, thing)) {
        return;
      }
    }
  }

  void nested() {
    nested.incrementAndGet();
  }

  /** How often a section was opened inside of another on the same buffer: a fault of the caller. */
  public long nestedSections() {
    return nested.get();
  }

  // ---- for the writer

  @Nullable Interned takeUsed(int gen) {
    return ((gen & 1) == 0 ? usedEven : usedOdd).getAndSet(null);
  }

  int nextGeneration() {
    return ++lastGeneration;
  }

  void beginSession(ChunkSource source, int first) {
    session = source;
    firstGeneration = first;
    generation = first;
    ENABLED.setOpaque(this, true);
  }

  void moveTo(int next) {
    generation = next;
  }

  void endSession() {
    ENABLED.setOpaque(this, false);
    taking = true;
    generation = 0;
  }

  /** Nothing is left in the buffers of a session that has ended. */
  void taken() {
    taking = false;
  }

  /** Ends a session without emptying the buffers. */
  void breakOff() {
    brokenOff = true;
    endSession();
    taken();
  }

  /** Whether the last session was broken off, so that there may be something in the buffers. */
  boolean brokenOff() {
    boolean was = brokenOff;
    brokenOff = false;
    return was;
  }
}

package dev.gmptrace.viewer;

import com.google.protobuf.ByteString;
import dev.gmptrace.tracer.wire.ArgKind;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.ProcStatus;
import dev.gmptrace.tracer.wire.Varint;
import dev.gmptrace.tracer.wire.proto.Batch;
import dev.gmptrace.tracer.wire.proto.ClockSnapshot;
import dev.gmptrace.tracer.wire.proto.EndOfGeneration;
import dev.gmptrace.tracer.wire.proto.EndOfTrace;
import dev.gmptrace.tracer.wire.proto.Frame;
import dev.gmptrace.tracer.wire.proto.Header;
import dev.gmptrace.tracer.wire.proto.Packet;
import dev.gmptrace.tracer.wire.proto.Stack;
import dev.gmptrace.tracer.wire.proto.StackTable;
import dev.gmptrace.tracer.wire.proto.StringTable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A gmp trace of any size, made up: on each P a root goroutine creates short-lived workers and
 * plays ping-pong with a partner. Everything of a P happens on its own thread, so that the order is
 * plain.
 */
final class SyntheticTrace implements AutoCloseable {
  private static final int CHUNK = 60_000;
  private static final int CHAN = 1;
  private static final int MUTEX = 2;

  private final PacketWriter frames = new PacketWriter();
  private final OutputStream file;
  private final byte[] events = new byte[CHUNK + 1024];
  private final SplittableRandom random;
  private int length;
  private int count;
  private int batches;
  private long total;

  private SyntheticTrace(OutputStream file, long seed) {
    this.file = file;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Writes a trace.
   *
   * @param workers short-lived goroutines in all, six events each
   * @param pings ping-pong rounds in all, six events each
   * @return how many events it has
   */
  static long write(Path path, int procs, int workers, int pings, long seed) throws IOException {
    try (SyntheticTrace trace =
        new SyntheticTrace(new BufferedOutputStream(Files.newOutputStream(path)), seed)) {
      trace.begin(procs);
      for (int p = 0; p < procs; p++) {
        trace.processor(p, procs, workers / procs, pings / procs);
      }
      trace.end();
      return trace.total;
    }
  }

  /**
   * Twelve million events on eight Ps, 400,000 goroutines, into the file named: for the benchmark.
   */
  public static void main(String[] args) throws IOException {
    System.out.println(write(Path.of(args[0]), 8, 400_000, 1_620_000, 42) + " events");
  }

  private void begin(int procs) throws IOException {
    file.write(FileFormat.fileHeader());
    packet(
        Packet.newBuilder()
            .setHeader(
                Header.newBuilder()
                    .setProgram("synthetic")
                    .setMaxProcs(procs)
                    .setTicksPerSecond(FileFormat.TICKS_PER_SECOND)));
    packet(
        Packet.newBuilder()
            .setClock(
                ClockSnapshot.newBuilder()
                    .setGeneration(1)
                    .setTicks(1000)
                    .setNanoTime(8000)
                    .setWallNanos(1_700_000_000_000_000_000L)));
    packet(
        Packet.newBuilder()
            .setStrings(
                StringTable.newBuilder()
                    .setGeneration(1)
                    .addId(CHAN)
                    .addText("chan receive")
                    .addId(MUTEX)
                    .addText("sync.Mutex.Lock")
                    .addId(3)
                    .addText("demo.Root.run")
                    .addId(4)
                    .addText("demo.Worker.run")
                    .addId(5)
                    .addText("demo.Partner.run")
                    .addId(6)
                    .addText("Demo.java")));
    StackTable.Builder stacks = StackTable.newBuilder().setGeneration(1);
    for (int id = 1; id <= 3; id++) {
      stacks.addStack(
          Stack.newBuilder()
              .setId(id)
              .addFrame(Frame.newBuilder().setFunction(id + 2).setFile(6).setLine(10 * id)));
    }
    packet(Packet.newBuilder().setStacks(stacks));
  }

  private void processor(int p, int procs, int workers, int pings) throws IOException {
    int m = p + 1;
    long root = 1L + p;
    long partner = 1L + procs + p;
    long worker = 1 + 2L * procs + p;
    int segment = 0;
    long[] now = {1000 + random.nextInt(50)};
    segment(m, segment++, now[0]);
    event(now, EventType.PROC_STATUS_INFO, p, ProcStatus.IDLE, -1);
    event(now, EventType.PROC_START, p, 0);
    event(now, EventType.GO_CREATE, root, 1, 0);
    event(now, EventType.GO_CREATE, partner, 3, 0);
    event(now, EventType.GO_START, partner, 0);
    event(now, EventType.GO_BLOCK, CHAN, 3);
    event(now, EventType.GO_START, root, 0);
    for (int round = 0; round < workers + pings; round++) {
      boolean create =
          (long) round * workers / (workers + pings)
              != (long) (round + 1) * workers / (workers + pings);
      long other = create ? worker : partner;
      if (create) {
        event(now, EventType.GO_CREATE, other, 2, 1);
        worker += procs;
      } else {
        event(now, EventType.GO_UNBLOCK, other, 0, 1);
      }
      event(now, EventType.GO_BLOCK, CHAN, 1);
      if (procs > 1 && random.nextInt(400) == 0) {
        event(now, EventType.WORK_STEAL, (p + 1 + random.nextInt(procs - 1)) % procs, 1, 0);
      }
      event(now, EventType.GO_START, other, 0);
      event(now, EventType.GO_UNBLOCK, root, 0, create ? 2 : 3);
      if (create) {
        event(now, EventType.GO_DESTROY);
      } else {
        event(now, EventType.GO_BLOCK, random.nextBoolean() ? CHAN : MUTEX, 3);
      }
      event(now, EventType.GO_START, root, 0);
      if (length > CHUNK) {
        batch(p);
        segment(m, segment++, now[0]);
      }
    }
    event(now, EventType.GO_BLOCK, MUTEX, 1);
    event(now, EventType.PROC_STOP);
    batch(p);
  }

  private void end() throws IOException {
    packet(
        Packet.newBuilder()
            .setEndOfGeneration(
                EndOfGeneration.newBuilder()
                    .setGeneration(1)
                    .setStartTicks(1000)
                    .setBatches(batches)));
    packet(Packet.newBuilder().setEndOfTrace(EndOfTrace.newBuilder().setGenerations(1)));
  }

  private void segment(int m, int number, long ticks) {
    raw(EventType.SEGMENT, m, number, ticks);
  }

  /** Events are mostly a few ticks apart, now and then much more. */
  private void event(long[] now, EventType type, long... args) {
    long delta = 1L + random.nextInt(40) + (random.nextInt(500) == 0 ? random.nextInt(20_000) : 0);
    now[0] += delta;
    long[] timed = new long[args.length + 1];
    timed[0] = delta;
    System.arraycopy(args, 0, timed, 1, args.length);
    raw(type, timed);
    total++;
  }

  private void raw(EventType type, long... args) {
    events[length++] = (byte) type.id();
    for (int i = 0; i < args.length; i++) {
      boolean zigzag = type.args().get(i).kind() == ArgKind.THREAD;
      length = Varint.put(events, length, zigzag ? Varint.zigzag(args[i]) : args[i]);
    }
    count++;
  }

  private void batch(int p) throws IOException {
    packet(
        Packet.newBuilder()
            .setBatch(
                Batch.newBuilder()
                    .setGeneration(1)
                    .setP(p)
                    .setEventCount(count)
                    .setEvents(ByteString.copyFrom(events, 0, length))));
    length = 0;
    count = 0;
    batches++;
  }

  private void packet(Packet.Builder packet) throws IOException {
    file.write(frames.frame(packet.build()));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

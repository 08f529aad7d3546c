package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.ArgKind;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.Varint;

/**
 * Writes the streams that belong to no thread of the scheduler: the recorder's own and the JVM's.
 * It follows the table rather than being fast. Used on the writer thread only.
 */
final class StreamEncoder {
  /** Takes a full chunk, whose bytes are the encoder's again afterwards. */
  interface Output {
    void batch(Generation generation, Chunk chunk);
  }

  private final int stream;
  private final Output output;
  private final Chunk chunk;
  private Generation generation = new Generation(0, 0);
  private int pos = Chunk.START;
  private long last;

  StreamEncoder(int stream, int bytes, Output output) {
    this.stream = stream;
    this.output = output;
    this.chunk = new Chunk(bytes);
  }

  /** Events that follow belong to this generation, and to the buffer of this P (-1: none). */
  void begin(Generation gen, int p) {
    generation = gen;
    chunk.generation = gen.number;
    chunk.p = p;
    chunk.thread = stream;
    chunk.events = 0;
    pos = Chunk.START;
  }

  /** An event with all its arguments but the time delta. */
  void event(long time, EventType type, long... args) {
    if (pos > chunk.bytes.length - 2 * EventType.MAX_BYTES) {
      end();
    }
    if (pos == Chunk.START) {
      int segment =
          switch (stream) {
            case FileFormat.JVM_STREAM -> generation.jvmSegments++;
            case FileFormat.CPU_STREAM -> generation.cpuSegments++;
            default -> generation.recorderSegments++;
          };
      chunk.time = time;
      last = time;
      encode(EventType.SEGMENT, 0, stream, segment, time);
    }
    long now = Math.max(time, last);
    encode(type, now - last, args);
    last = now;
  }

  private void encode(EventType type, long delta, long... args) {
    byte[] b = chunk.bytes;
    b[pos++] = (byte) type.id();
    int first = 0;
    if (type.timed()) {
      pos = Varint.put(b, pos, delta);
      first = 1;
    }
    for (int i = 0; i < args.length; i++) {
      boolean signed = type.args().get(first + i).kind() == ArgKind.THREAD;
      pos = Varint.put(b, pos, signed ? Varint.zigzag(args[i]) : args[i]);
    }
    chunk.events++;
  }

  /** Gives away what there is. */
  void end() {
    if (pos > Chunk.START) {
      chunk.end = pos;
      output.batch(generation, chunk);
      chunk.events = 0;
      pos = Chunk.START;
    }
  }
}

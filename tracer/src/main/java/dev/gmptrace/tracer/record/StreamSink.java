package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.proto.Header;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace as it comes. After a failure it takes no more, and says why at the end. Streams
 * are the user's, so a failure is whatever they throw; other recordings go on.
 */
final class StreamSink extends Sink {
  private final OutputStream out;
  private final boolean close;
  private final String what;
  private volatile @Nullable Throwable failure;

  StreamSink(OutputStream out, boolean close, String what) {
    this.out = out;
    this.close = close;
    this.what = what;
  }

  @Override
  void start(Header header, PacketWriter packets) {
    byte[] magic = FileFormat.fileHeader();
    write(magic, 0, magic.length);
    byte[] frame = packets.frame(Packet.newBuilder().setHeader(header).build());
    write(frame, 0, frame.length);
    // So that who looks meanwhile finds a trace, if an empty one.
    flush();
  }

  @Override
  void frame(Generation generation, byte[] bytes, int from, int to) {
    write(bytes, from, to);
  }

  @Override
  void generationClosed(Generation generation) {
    super.generationClosed(generation);
    flush();
  }

  @Override
  void finish(PacketWriter packets) {
    byte[] frame = packets.frame(endOfTrace(totals()));
    write(frame, 0, frame.length);
    flush();
    close();
  }

  @Override
  void broken(Throwable why) {
    fail(why);
    close();
  }

  private void close() {
    if (close) {
      try {
        out.close();
      } catch (Throwable e) {
        fail(e);
      }
    }
  }

  private void write(byte[] b, int from, int to) {
    if (failure == null) {
      try {
        out.write(b, from, to - from);
        bytes += to - from;
      } catch (Throwable e) {
        fail(e);
      }
    }
  }

  private void flush() {
    if (failure == null) {
      try {
        out.flush();
      } catch (Throwable e) {
        fail(e);
      }
    }
  }

  private void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  void throwFailure() {
    Throwable e = failure;
    if (e != null) {
      IOException cause = e instanceof IOException io ? io : new IOException(e);
      throw new UncheckedIOException(
          "recording into " + what + " failed: " + cause.getMessage(), cause);
    }
  }
}

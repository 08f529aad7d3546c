package dev.gmptrace.analyzer.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The bytes of a trace file, read at places.
 *
 * <p>Plain positioned reads into arrays that are used again, rather than a mapping: a file that is
 * cut short while it is read then is a short read and a sentence, where a mapping would be a fault
 * in the middle of the decoder; and what is read goes through the decoder's hottest loop, which is
 * fastest on arrays.
 */
final class TraceFile implements AutoCloseable {
  private final FileChannel channel;
  private final long size;

  TraceFile(Path path) {
    try {
      channel = FileChannel.open(path);
      size = channel.size();
    } catch (IOException e) {
      throw new TraceFormatException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  long size() {
    return size;
  }

  /** Reads up to that many bytes and returns how many there were before the end of the file. */
  int read(long offset, byte[] into, int length) throws DamageException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    try {
      while (buffer.hasRemaining()) {
        int n = channel.read(buffer, offset + buffer.position());
        if (n < 0) {
          break;
        }
      }
    } catch (IOException e) {
      throw new DamageException(offset, "the file cannot be read: " + e.getMessage());
    }
    return buffer.position();
  }

  /** Reads exactly that many bytes. */
  void readFully(long offset, byte[] into, int length) throws DamageException {
    int n = read(offset, into, length);
    if (n < length) {
      throw new DamageException(offset + n, "the file became shorter while it was read");
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was only read from; there is nothing to lose.
    }
  }
}

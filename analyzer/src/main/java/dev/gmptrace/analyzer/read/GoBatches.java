package dev.gmptrace.analyzer.read;

/**
 * Walks over the batches of a Go trace. Only headers are read here; the events stay in the file
 * until the ordering gets to them.
 */
final class GoBatches {
  /** A header is at most 2 + 4 * 10 bytes; a window holds that of many small batches. */
  private static final int WINDOW = 4096;

  private static final int MAX_HEADER = 42;

  private final TraceFile file;
  private final byte[] window = new byte[WINDOW];
  private long windowOffset;
  private int windowLength;

  /** Where the next batch begins. */
  private long next;

  // The batch the walk stands at.
  long start;
  boolean endOfGeneration;

  /** The experiment it belongs to, 0 for none. */
  int experiment;

  long generation;
  long thread;
  long ticks;
  long dataOffset;
  int size;

  /** The first byte of its data, which tells what it holds; -1 if it is empty. */
  int firstByte;

  GoBatches(TraceFile file, long from) {
    this.file = file;
    this.next = from;
  }

  long position() {
    return next;
  }

  /** Moves to the next batch; false at the end of the file. */
  boolean next() throws DamageException {
    start = next;
    generation = 0;
    if (start >= file.size()) {
      return false;
    }
    fill(start);
    int at = (int) (start - windowOffset);
    ByteCursor c = new ByteCursor(window, at, windowLength, windowOffset);
    int type = c.u8();
    endOfGeneration = type == GoEvents.END_OF_GENERATION;
    experiment = 0;
    if (endOfGeneration) {
      next = c.offset();
      return true;
    }
    if (type != GoEvents.EVENT_BATCH && type != GoEvents.EXPERIMENTAL_BATCH) {
      throw new DamageException(start, "expected a batch of events, found event type " + type);
    }
    long bytes;
    try {
      if (type == GoEvents.EXPERIMENTAL_BATCH) {
        experiment = c.u8();
      }
      generation = c.uvarint();
      thread = c.uvarint();
      ticks = c.uvarint();
      bytes = c.uvarint();
    } catch (DamageException e) {
      throw c.offset() >= file.size()
          ? new DamageException(start, "the file ends inside a batch's header")
          : e;
    }
    if (bytes < 0 || bytes > GoEvents.MAX_BATCH_BYTES) {
      throw new DamageException(
          start,
          "a batch of "
              + Long.toUnsignedString(bytes)
              + " bytes, at most "
              + GoEvents.MAX_BATCH_BYTES
              + " are allowed");
    }
    size = (int) bytes;
    dataOffset = c.offset();
    if (dataOffset + size > file.size()) {
      throw new DamageException(
          start,
          "the file ends inside a batch: "
              + (file.size() - dataOffset)
              + " of its "
              + size
              + " bytes are there");
    }
    firstByte = -1;
    if (size > 0) {
      if (!c.hasMore()) {
        fill(dataOffset);
        c = new ByteCursor(window, (int) (dataOffset - windowOffset), windowLength, windowOffset);
      }
      firstByte = c.u8();
    }
    next = dataOffset + size;
    return true;
  }

  /** Reads the data of the batch. */
  ByteCursor data() throws DamageException {
    byte[] bytes = new byte[size];
    file.readFully(dataOffset, bytes, size);
    return new ByteCursor(bytes, 0, size, dataOffset);
  }

  /** Makes the window hold at least a header's bytes from there on, or all up to the file's end. */
  private void fill(long offset) throws DamageException {
    long have = windowOffset + windowLength - offset;
    if (offset >= windowOffset && (have >= MAX_HEADER || offset + have >= file.size())) {
      return;
    }
    windowOffset = offset;
    windowLength = file.read(offset, window, (int) Math.min(WINDOW, file.size() - offset));
  }
}

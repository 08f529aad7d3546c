package dev.gmptrace.analyzer.read;

import java.util.function.UnaryOperator;

/** Reads Go execution traces of Go 1.22 and newer. */
final class GoTraceReader extends GenerationReader {
  private final TraceFile file;
  private final int version;

  GoTraceReader(TraceInfo info, int version) {
    super(info);
    this.version = version;
    this.file = new TraceFile(info.path());
  }

  @Override
  GenerationSource source() {
    return new GoGenerations(file, version, tables(), HEADER_BYTES, consumed::add);
  }

  @Override
  Ordering ordering(UnaryOperator<EventBlock> exchange) {
    return new Ordering(tables(), false, exchange);
  }

  @Override
  public void close() {
    file.close();
  }
}

package dev.gmptrace.analyzer.read;

/**
 * Something about a trace that its user should know, though it can be read.
 *
 * @param offset where in the file it was noticed, or -1
 * @param message one sentence
 */
public record TraceWarning(long offset, String message) {
  @Override
  public String toString() {
    return offset < 0 ? message : message + " (at byte " + offset + ")";
  }
}

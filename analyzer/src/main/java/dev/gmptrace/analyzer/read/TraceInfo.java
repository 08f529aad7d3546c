package dev.gmptrace.analyzer.read;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the first bytes of a trace say about it.
 *
 * @param path the file
 * @param format which reader understands it
 * @param version the version in its header, as printed: {@code go 1.26}, {@code gmp 1}
 * @param size its bytes
 * @param program the program that was traced, or an empty string when the file does not say
 * @param properties what else the header tells, by name: arguments, jvm, os, cores, maxprocs, ...
 */
public record TraceInfo(
    Path path,
    Format format,
    String version,
    long size,
    String program,
    Map<String, String> properties) {
  public TraceInfo {
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
  }

  /** The file formats. */
  public enum Format {
    /** A Go execution trace, version 2 of the format (Go 1.22 and newer). */
    GO,
    /** What gmptrace's own recorder writes. */
    GMP
  }
}

package dev.gmptrace.analyzer.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a reader hands to the ordering: one generation's tables, and the streams of its threads. */
final class Generation {
  final long number;
  final LocalIds strings;
  final LocalIds stacks;
  final CpuSamples samples;
  final List<StreamSource> streams = new ArrayList<>();

  /** When its first batch began. */
  final long startTime;

  final @Nullable ClockSnapshot clock;

  /** Where in the file it begins. */
  final long offset;

  /** Events of it are known to be missing, so not all that remains can fit together. */
  boolean lossy;

  /** The gaps that the recorder tells of, by the time they begin. */
  List<Loss> losses = List.of();

  /** Pieces are missing of which the recorder does not tell, so nobody knows where the gaps are. */
  boolean torn;

  Generation(
      long number,
      LocalIds strings,
      LocalIds stacks,
      CpuSamples samples,
      long startTime,
      @Nullable ClockSnapshot clock,
      long offset) {
    this.number = number;
    this.strings = strings;
    this.stacks = stacks;
    this.samples = samples;
    this.startTime = startTime;
    this.clock = clock;
    this.offset = offset;
  }
}

package dev.gmptrace.analyzer.read;

import java.util.ArrayList;
import java.util.List;

/** What had to be done about lost events, counted by generation and told as warnings. */
final class LossNotes {
  private final List<TraceWarning> warnings = new ArrayList<>();
  private long generation;
  private long offset;

  /** States believed although they do not follow from the one before. */
  long resyncs;

  /** Events let happen by their times alone. */
  long forced;

  /** Events that say nothing without the lost ones. */
  long leftOut;

  /** Tells of the generation before and starts counting for the next. */
  void begin(Generation next) {
    note();
    generation = next.number;
    offset = next.offset;
  }

  List<TraceWarning> warnings() {
    note();
    return warnings;
  }

  private void note() {
    if (resyncs > 0) {
      warn(resyncs + " states were recorded again because events before them were lost");
    }
    if (forced > 0) {
      warn(forced + " events were put in order by their times alone, since others were lost");
    }
    if (leftOut > 0) {
      warn(leftOut + " events were left out, since they say nothing without the lost ones");
    }
    resyncs = 0;
    forced = 0;
    leftOut = 0;
  }

  private void warn(String text) {
    warnings.add(new TraceWarning(offset, "generation " + generation + ": " + text));
  }
}

package dev.gmptrace.tracer.record;

import java.util.List;

/** A stack that events refer to: a handle from {@link Tracer#stack}, valid for ever. */
public final class TraceStack extends Interned {
  /** No stack. */
  public static final TraceStack NONE = new TraceStack(0, List.of(), true);

  /** A place in the code. */
  record Frame(String function, String file, int line) {}

  final List<Frame> frames;

  TraceStack(int id, List<Frame> frames, boolean constant) {
    super(id, constant);
    this.frames = frames;
  }
}

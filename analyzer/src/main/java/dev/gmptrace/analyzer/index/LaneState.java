package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.SpanState;

/** What a lane was doing at a moment: its span there, and who is where; ids are -1 for nobody. */
public record LaneState(
    SpanState state, long start, long end, String reason, long g, long p, long m) {}

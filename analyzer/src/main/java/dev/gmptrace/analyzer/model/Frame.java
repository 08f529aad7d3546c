package dev.gmptrace.analyzer.model;

/** One call in a stack; {@code pc} is 0 where the trace has none. */
public record Frame(long pc, String function, String file, int line) {}

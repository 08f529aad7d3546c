package dev.gmptrace.bench.report;

/**
 * One figure of a report.
 *
 * @param key what it is, from the general to the particular: {@code sched/pingpong/p2/jdk/wall}
 * @param unit of the values: ns/op, x, B/event, …
 * @param value the figure with its spread
 */
public record Measure(String key, String unit, Spread value) {}

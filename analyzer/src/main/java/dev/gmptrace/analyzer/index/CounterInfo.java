package dev.gmptrace.analyzer.index;

/**
 * A number over time.
 *
 * @param name what to ask for, as {@code g.runnable}
 * @param label what to call it
 * @param unit "bytes" or ""
 * @param group which counters belong into one picture
 */
public record CounterInfo(
    String name, String label, String unit, String group, long min, long max, long last) {}

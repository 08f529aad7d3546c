package dev.gmptrace.analyzer.index;

/**
 * A lane and its extent.
 *
 * @param name what to call it
 * @param group goroutines: the start function; else the kind
 * @param firstNs when its first span begins
 * @param lastNs when its last span ends
 * @param spans how many spans it has
 * @param busyNs how long something was executed for it, system calls included
 * @param runningNs how long a goroutine ran
 */
public record LaneInfo(
    LaneId id,
    String name,
    String group,
    long firstNs,
    long lastNs,
    int spans,
    long busyNs,
    long runningNs) {}

package dev.gmptrace.tracer.record;

/**
 * What a recording came to.
 *
 * @param generations how many generations it has
 * @param batches how many batches of events
 * @param events how many events, statuses and segments included
 * @param lostEvents how many events were dropped because the pool was empty
 * @param resyncs how often a status had to be repeated because an event before it was missing
 * @param bytes how many bytes were written
 * @param overgrownGenerations how many generations are missing from a flight recorder's dump
 *     because each was larger than the ring
 */
public record TraceTotals(
    int generations,
    long batches,
    long events,
    long lostEvents,
    long resyncs,
    long bytes,
    int overgrownGenerations) {}

package dev.gmptrace.analyzer.index;

/**
 * The utilisation of each processor, the share of time in which a goroutine ran on it, in each
 * column of the whole trace: for the minimap.
 *
 * @param procs processor ids, in order
 * @param busy per processor and column, 0 to 255
 * @param total over all processors, 0 to 255
 */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record Utilisation(
    long from, long to, int columns, long[] procs, byte[][] busy, byte[] total) {}

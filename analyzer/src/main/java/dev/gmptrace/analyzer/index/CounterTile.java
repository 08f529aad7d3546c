package dev.gmptrace.analyzer.index;

/** A number at the zoom asked: least, greatest and last value in each pixel. */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record CounterTile(String name, long from, long to, long[] min, long[] max, long[] last) {}

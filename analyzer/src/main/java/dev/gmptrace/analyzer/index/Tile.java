package dev.gmptrace.analyzer.index;

/**
 * A lane at the zoom asked: pieces in time order, clipped to {@code [from, to)}; what is not
 * covered by a piece is nothing.
 *
 * @param size number of pieces; the arrays have exactly that length
 * @param start when each piece begins
 * @param end when each piece ends
 * @param state {@link dev.gmptrace.analyzer.model.SpanState#code}: of an exact span its state, of
 *     merged ones the state that took most of the time
 * @param busy 0 to 255: the share of the piece in which something was executed
 * @param count how many spans the piece stands for; 1 is an exact one
 * @param g goroutine id of the span, or of the longest one merged; -1 when there is none
 * @param reason string id of why, see {@link TraceIndex#string}; 0 when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record Tile(
    LaneId lane,
    long from,
    long to,
    int size,
    long[] start,
    long[] end,
    byte[] state,
    byte[] busy,
    int[] count,
    long[] g,
    int[] reason) {}

package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Minimum mutator utilisation: for each window length, the least share of it that was left to the
 * program anywhere in the trace. 0.4 at 10 ms means: there were ten milliseconds in which the
 * collector took sixty percent.
 *
 * @param windowNs window lengths, rising
 * @param utilisation the minimum for each
 * @param worst the worst windows of {@code worstWindowNs}, disjoint, worst first
 */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record Mmu(
    Options options,
    long[] windowNs,
    double[] utilisation,
    long worstWindowNs,
    List<Window> worst) {

  /** What counts as taken from the program. The same choices as Go's page has. */
  public record Options(
      boolean perProc, boolean stw, boolean background, boolean assist, boolean sweep) {
    /** Everything, over all processors together. */
    public static final Options ALL = new Options(false, true, true, true, true);
  }

  /** A stretch of time and the share that was left to the program in it. */
  public record Window(long from, long to, double utilisation) {}

  private static final int POINTS = 100;
  private static final int WORST = 10;
  private static final long WORST_WINDOW_NS = 10_000_000;

  /** With everything counted. */
  public static Mmu of(Trace trace) {
    return of(trace, Options.ALL);
  }

  /** With what is chosen counted. */
  public static Mmu of(Trace trace, Options options) {
    return of(trace, options, TimeWindow.ALL);
  }

  /** As {@link #of(Trace, Options)}, of a part of the trace. */
  public static Mmu of(Trace trace, Options options, TimeWindow part) {
    List<MutatorUtilisation> functions = MutatorUtilisation.of(trace, options, part);
    long longest = 1;
    for (MutatorUtilisation f : functions) {
      longest = Math.max(longest, f.duration());
    }
    long shortest = Math.min(longest, 1_000);
    long[] windows = new long[POINTS];
    double[] least = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      double power = (double) i / (POINTS - 1);
      windows[i] = Math.round(shortest * Math.pow((double) longest / shortest, power));
      least[i] = minimum(functions, windows[i]);
    }
    long window = Math.min(WORST_WINDOW_NS, longest);
    List<Window> worst = new ArrayList<>();
    for (MutatorUtilisation f : functions) {
      worst.addAll(f.worst(window, WORST));
    }
    worst.sort(Comparator.comparingDouble(Window::utilisation));
    return new Mmu(
        options,
        windows,
        least,
        window,
        worst.size() > WORST ? List.copyOf(worst.subList(0, WORST)) : worst);
  }

  /** The minimum for one window length. */
  public static double at(Trace trace, Options options, long windowNs) {
    return minimum(MutatorUtilisation.of(trace, options, TimeWindow.ALL), windowNs);
  }

  private static double minimum(List<MutatorUtilisation> functions, long window) {
    double least = 1;
    for (MutatorUtilisation f : functions) {
      least = Math.min(least, f.minimum(window));
    }
    return least;
  }
}

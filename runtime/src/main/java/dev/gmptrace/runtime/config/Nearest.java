package dev.gmptrace.runtime.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** "Did you mean": the known word at the smallest edit distance, when that is close enough. */
public final class Nearest {
  private Nearest() {}

  /**
   * The known word nearest to {@code word}, or null when none is near: at most two edits, or a
   * third of a longer word. A swap of neighbours counts as one edit, since that is how people
   * mistype. Upper and lower case are the same.
   */
  public static @Nullable String of(String word, Collection<String> known) {
    String best = null;
    int limit = Math.max(2, word.length() / 3);
    for (String candidate : known) {
      int d = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (d <= limit && d < Math.max(word.length(), candidate.length())) {
        best = candidate;
        limit = d - 1;
      }
    }
    return best;
  }

  /** Optimal string alignment: insert, delete, replace, swap neighbours, each at cost one. */
  static int distance(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int d = Math.min(last[j - 1] + (same ? 0 : 1), Math.min(last[j], row[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d = Math.min(d, beforeLast[j - 2] + 1);
        }
        row[j] = d;
      }
      int[] free = beforeLast;
      beforeLast = last;
      last = row;
      row = free;
    }
    return last[b.length()];
  }
}

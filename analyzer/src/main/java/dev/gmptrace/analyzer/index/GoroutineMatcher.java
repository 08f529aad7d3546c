package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link GoroutineFilter} ready to be asked goroutine by goroutine; cheap tests come first. */
final class GoroutineMatcher {
  private final TraceModel model;
  private final GoroutineTimeline timeline;
  private final GoroutineFilter filter;
  private final Set<Long> ids = new HashSet<>();
  private final @Nullable String text;
  private final int reason;
  private final byte[] nameMatches;

  GoroutineMatcher(TraceModel model, GoroutineTimeline timeline, GoroutineFilter filter) {
    this.model = model;
    this.timeline = timeline;
    this.filter = filter;
    for (long id : filter.ids()) {
      ids.add(id);
    }
    String t = filter.text();
    this.text = t == null || t.isBlank() ? null : t.strip().toLowerCase(Locale.ROOT);
    this.reason = reasonIndex(filter.reason());
    this.nameMatches = new byte[text == null ? 0 : model.tables().strings()];
  }

  private int reasonIndex(@Nullable String wanted) {
    if (wanted == null) {
      return -1;
    }
    for (int r = 0; r < model.reasons(); r++) {
      if (model.reason(r).equals(wanted)) {
        return r;
      }
    }
    return Integer.MAX_VALUE;
  }

  boolean matches(int g) {
    if (timeline.size(g) == 0) {
      return false;
    }
    long first = timeline.start(g, 0);
    long last = timeline.end(g);
    if (last < filter.from() || first >= filter.to()) {
      return false;
    }
    long life = last - first;
    if (life < filter.minDurationNs() || life > filter.maxDurationNs()) {
      return false;
    }
    if (!ids.isEmpty() && !ids.contains(model.goroutines().id(g))) {
      return false;
    }
    String group = filter.group();
    if (group != null && !model.goroutineName(g).equals(group)) {
      return false;
    }
    String label = filter.label();
    if (label != null && !model.string(model.goroutines().label(g)).contains(label)) {
      return false;
    }
    return textMatches(g) && stateMatches(g) && reasonMatches(g);
  }

  private boolean textMatches(int g) {
    if (text == null) {
      return true;
    }
    long id = model.goroutines().id(g);
    if (text.equals(Long.toString(id)) || text.equals("g" + id) || text.equals("g:" + id)) {
      return true;
    }
    return contains(model.goroutines().name(g)) || contains(model.goroutines().label(g));
  }

  /** Names repeat, so whether one contains the text is found out once: 0 unasked, 1 yes, 2 no. */
  private boolean contains(int string) {
    if (nameMatches[string] == 0) {
      boolean yes = text != null && model.string(string).toLowerCase(Locale.ROOT).contains(text);
      nameMatches[string] = (byte) (yes ? 1 : 2);
    }
    return nameMatches[string] == 1;
  }

  private boolean stateMatches(int g) {
    if (filter.states().isEmpty()) {
      return true;
    }
    long[] sums = new long[SpanState.COUNT];
    timeline.durations(g, filter.from(), filter.to(), sums);
    for (SpanState s : filter.states()) {
      if (sums[s.code()] > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean reasonMatches(int g) {
    if (reason < 0) {
      return true;
    }
    int last = timeline.before(g, filter.to(), 0);
    for (int k = Math.max(0, timeline.at(g, filter.from())); k <= last; k++) {
      if (timeline.reason(g, k) == reason && SpanState.of(timeline.state(g, k)).waiting()) {
        return true;
      }
    }
    return false;
  }
}

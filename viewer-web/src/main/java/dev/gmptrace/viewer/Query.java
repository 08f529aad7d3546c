package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.model.SpanState;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request. Whatever is not understood is an {@link IllegalArgumentException}
 * with a sentence, which the caller gets back as status 400.
 */
final class Query {
  private static final int MAX_PIXELS = 8192;
  private static final int MAX_LANES = 512;

  /** Beyond every trace: 36 years. */
  private static final long FAR = 1L << 60;

  private final Context ctx;

  Query(Context ctx) {
    this.ctx = ctx;
  }

  @Nullable String text(String name) {
    String value = ctx.queryParam(name);
    return value == null || value.isEmpty() ? null : value;
  }

  String text(String name, String otherwise) {
    String value = text(name);
    return value == null ? otherwise : value;
  }

  String required(String name) {
    String value = text(name);
    if (value == null) {
      throw new IllegalArgumentException("the parameter \"" + name + "\" is missing");
    }
    return value;
  }

  boolean flag(String name, boolean otherwise) {
    String value = text(name);
    return value == null ? otherwise : !List.of("0", "false", "no").contains(value);
  }

  long number(String name, long otherwise) {
    String value = text(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the parameter \"" + name + "\" is not a whole number: " + value, e);
    }
  }

  int limit(int otherwise, int max) {
    return (int) Math.max(0, Math.min(max, number("limit", otherwise)));
  }

  int pixels() {
    return (int) Math.max(1, Math.min(MAX_PIXELS, number("px", 1000)));
  }

  long from() {
    return instant("from", 0);
  }

  /** End of the window; the end of the trace when not said. */
  long to(long duration) {
    return instant("to", duration + 1);
  }

  /** Kept so near to any trace that the length of a window, and what is added to it, is a long. */
  long instant(String name, long otherwise) {
    return text(name) == null ? otherwise : Math.max(-FAR, Math.min(FAR, number(name, otherwise)));
  }

  /** The window asked for; all of the trace when none was. */
  TimeWindow window() {
    return hasWindow() ? new TimeWindow(from(), number("to", Long.MAX_VALUE)) : TimeWindow.ALL;
  }

  boolean hasWindow() {
    return text("from") != null || text("to") != null;
  }

  List<String> list(String name) {
    String value = text(name);
    return value == null ? List.of() : Arrays.asList(value.split(",", -1));
  }

  List<LaneId> lanes() {
    List<String> names = list("lanes");
    if (names.size() > MAX_LANES) {
      throw new IllegalArgumentException("at most " + MAX_LANES + " lanes a request");
    }
    return names.stream().map(LaneId::parse).toList();
  }

  <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
    String value = text(name);
    return value == null ? otherwise : oneOf(name, type, value);
  }

  /** The named values, or all of them when the parameter is absent. */
  <E extends Enum<E>> Set<E> choices(String name, Class<E> type) {
    List<String> names = list(name);
    if (names.isEmpty()) {
      return EnumSet.allOf(type);
    }
    Set<E> chosen = EnumSet.noneOf(type);
    names.forEach(n -> chosen.add(oneOf(name, type, n)));
    return chosen;
  }

  private static <E extends Enum<E>> E oneOf(String name, Class<E> type, String value) {
    for (E e : type.getEnumConstants()) {
      if (e.name().equals(value.toUpperCase(Locale.ROOT))) {
        return e;
      }
    }
    throw new IllegalArgumentException(
        "the parameter \"" + name + "\" is none of " + Arrays.toString(type.getEnumConstants()));
  }

  /** Which goroutines, and in which window. */
  GoroutineFilter goroutines() {
    GoroutineFilter filter =
        GoroutineFilter.all()
            .withText(text("text"))
            .withGroup(ctx.queryParam("group"))
            .withLabel(text("label"))
            .withReason(text("reason"))
            .withDuration(number("min", 0), number("max", Long.MAX_VALUE));
    if (text("state") != null) {
      filter = filter.withStates(choices("state", SpanState.class));
    }
    if (text("g") != null) {
      filter = filter.withIds(number("g", -1));
    }
    return hasWindow() ? filter.withWindow(from(), instant("to", Long.MAX_VALUE)) : filter;
  }
}

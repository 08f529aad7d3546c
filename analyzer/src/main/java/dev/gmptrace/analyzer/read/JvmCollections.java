package dev.gmptrace.analyzer.read;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The collections of the JVM in a gmp trace. Unlike Go's they overlap and belong to no goroutine,
 * and they are called after their collector, such as "GC G1 Young Generation".
 *
 * <p>Which collector it is comes in an event of its own after the beginning. The beginning is held
 * back until then, so that both events of the range can carry the name; one whose second event was
 * lost is called "JVM GC".
 */
final class JvmCollections {
  private record Moment(int type, long time, long offset, long number, int stack) {}

  private final OrderContext ctx;
  private final int unnamed;

  /** By number of the collection. */
  private final Map<Long, Integer> names = new HashMap<>();

  /** The beginning that is held back. */
  private @Nullable Moment waiting;

  JvmCollections(OrderContext ctx) {
    this.ctx = ctx;
    this.unnamed = ctx.tables.addString("JVM GC");
  }

  /** A collection begins, or was under way when the generation began. */
  boolean begin(EventStream s) throws DamageException {
    int stack = s.type == EventTypes.GC_BEGIN ? ctx.stack(s, s.args[1]) : 0;
    flush();
    Moment moment = new Moment(s.type, s.time, s.offset, s.args[0], stack);
    if (names.containsKey(moment.number)) {
      range(moment);
    } else {
      waiting = moment;
    }
    return true;
  }

  /** Its collector is told. */
  void named(long number, int collector) {
    names.put(number, ctx.tables.addString("GC " + ctx.tables.string(collector)));
    flush();
  }

  /** It is done. */
  boolean end(EventStream s) {
    flush();
    range(new Moment(s.type, s.time, s.offset, s.args[0], 0));
    names.remove(s.args[0]);
    return true;
  }

  /** Delivers what is held back, by whatever name it has. */
  void flush() {
    Moment moment = waiting;
    if (moment != null) {
      waiting = null;
      range(moment);
      names.putIfAbsent(moment.number, unnamed);
    }
  }

  private void range(Moment moment) {
    int row =
        ctx.row(
            moment.time,
            moment.offset,
            moment.type,
            TraceEvent.NONE,
            TraceEvent.NONE,
            TraceEvent.NONE);
    ctx.names(row, names.getOrDefault(moment.number, unnamed), 0);
    ctx.stacks(row, moment.stack, 0);
    ctx.set(row, TraceEvent.VALUE, moment.number);
  }
}

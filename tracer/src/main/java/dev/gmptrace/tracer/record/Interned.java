package dev.gmptrace.tracer.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something that events refer to by id and that a generation's tables must hold if one did.
 *
 * <p>The first event of a generation that uses it pushes it on the list of that generation, and the
 * writer walks the list when the generation is over. No table is searched for what was used, and a
 * thing may leave its table at any time without being lost to a generation that still refers to it.
 * There are two marks and two links because two generations may be written at once.
 *
 * <p>A generation marks until its list is taken, which is before the one after the next begins.
 * Marked later, the thing would lose the mark of that one, be pushed on its list a second time, and
 * the list would be a ring.
 */
abstract class Interned {
  private static final VarHandle EVEN_MARK;
  private static final VarHandle ODD_MARK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      EVEN_MARK = lookup.findVarHandle(Interned.class, "evenMark", int.class);
      ODD_MARK = lookup.findVarHandle(Interned.class, "oddMark", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final int id;

  /** In the tables of every generation, so that uses need not be noted. */
  final boolean constant;

  int evenMark;
  int oddMark;
  @Nullable Interned evenNext;
  @Nullable Interned oddNext;

  Interned(int id, boolean constant) {
    this.id = id;
    this.constant = constant;
  }

  /** Sets the mark of the generation; true for the one caller that was the first to do so. */
  final boolean markUsed(int gen) {
    if ((gen & 1) == 0) {
      return evenMark != gen && (int) EVEN_MARK.getAndSet(this, gen) != gen;
    }
    return oddMark != gen && (int) ODD_MARK.getAndSet(this, gen) != gen;
  }

  /** Whether generation {@code gen} or the one before it used this. */
  final boolean usedLately(int gen) {
    return Math.max((int) EVEN_MARK.getOpaque(this), (int) ODD_MARK.getOpaque(this)) >= gen - 1;
  }
}

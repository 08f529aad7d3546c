package dev.gmptrace.analyzer.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What comes next in a file.
 *
 * @param generation to be ordered first, or null
 * @param damage what ends the reading after that, or null
 * @param last whether nothing comes after it
 * @param warnings noticed on the way
 */
record Step(
    @Nullable Generation generation,
    @Nullable TraceWarning damage,
    boolean last,
    List<TraceWarning> warnings) {

  static Step of(Generation generation) {
    return new Step(generation, null, false, List.of());
  }

  static Step broken(DamageException damage) {
    return new Step(null, damage.warning(), true, List.of());
  }
}

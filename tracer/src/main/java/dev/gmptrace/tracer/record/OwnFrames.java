package dev.gmptrace.tracer.record;

import java.util.Set;

/** Which frames of a stack are the recorder's and the scheduler's, and of no interest to a user. */
final class OwnFrames {
  private static final String RUNTIME_PACKAGE = "dev.gmptrace.runtime.";
  private static final Set<String> CLASSES =
      Set.of(
          Tracer.class.getName(),
          Stacks.class.getName(),
          Task.class.getName(),
          Region.class.getName(),
          EntrySite.class.getName(),
          ClassValue.class.getName());

  private static final Set<String> BELOW_GOROUTINES =
      Set.of("java.lang.VirtualThread", "jdk.internal.vm.Continuation");

  private static final ClassValue<Boolean> OURS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isOurs(type.getName());
        }
      };

  private OwnFrames() {}

  static boolean isOurs(Class<?> type) {
    return OURS.get(type);
  }

  /** Whether it is of those under the function that a goroutine begins with. */
  static boolean leadsIntoGoroutine(String className) {
    return className.startsWith(RUNTIME_PACKAGE) || BELOW_GOROUTINES.contains(className);
  }

  static boolean isOurs(String className) {
    if (className.startsWith(RUNTIME_PACKAGE)) {
      return true;
    }
    int nested = className.indexOf('$');
    return CLASSES.contains(nested < 0 ? className : className.substring(0, nested));
  }
}

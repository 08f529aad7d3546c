package dev.gmptrace.tracer.record;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Where goroutines come from: their name, and the group they are counted in.
 *
 * <p>It is found once per class of task. A lambda has a class of its own, so that is once per line
 * that spawns; its name is the method and line that spawned it first, as in {@code
 * com.acme.Main.main.func:42}. A task with a class of its own is called {@code
 * com.acme.Worker.run}. Threads that have a name go by that. In the trace it is a stack of one
 * frame, the {@code new_stack} of GoCreate, so a goroutine's name costs no byte more than Go's.
 */
public final class EntrySite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final CopyOnWriteArrayList<EntrySite> LIST = new CopyOnWriteArrayList<>();
  private static final ConcurrentHashMap<String, EntrySite> NAMED = new ConcurrentHashMap<>();
  private static final ConcurrentHashMap<StackTraceElement, EntrySite> SPAWNED =
      new ConcurrentHashMap<>();

  private static final ClassValue<EntrySite> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected EntrySite computeValue(Class<?> taskClass) {
          return resolve(taskClass);
        }
      };

  static final int MAX_NAMES = 2000;

  /** Goroutines whose name came after too many others. */
  static final EntrySite OTHER = new EntrySite(new TraceStack.Frame("other", "", 0));

  /** Goroutines of which nothing is known. */
  public static final EntrySite UNKNOWN = new EntrySite(new TraceStack.Frame("unknown", "", 0));

  final TraceStack stack;

  private EntrySite(TraceStack.Frame frame) {
    TraceString.constant(frame.function());
    TraceString.constant(frame.file());
    synchronized (LIST) {
      stack = new TraceStack(2 * (LIST.size() + 1), List.of(frame), true);
      LIST.add(this);
    }
  }

  /** The site of a task of this class, called where the task is spawned. */
  public static EntrySite of(Class<?> taskClass) {
    return BY_CLASS.get(taskClass);
  }

  /**
   * A site that the user has named. Names that keep being different are no groups, and each would
   * stay in memory and in the tables of every generation; past {@value #MAX_NAMES} of them, new
   * ones are one group, {@code other}.
   */
  public static EntrySite named(String name) {
    EntrySite known = NAMED.get(name);
    if (known != null) {
      return known;
    }
    if (NAMED.size() >= MAX_NAMES) {
      return OTHER;
    }
    return NAMED.computeIfAbsent(name, n -> new EntrySite(new TraceStack.Frame(n, "", 0)));
  }

  /**
   * The site of a thread, by its name. Threads of one kind are often numbered; the number is left
   * out, or each would be a group of its own.
   */
  public static EntrySite ofThreadNamed(String name) {
    int end = name.length();
    while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
      end--;
    }
    while (end > 0 && "-#_ .".indexOf(name.charAt(end - 1)) >= 0) {
      end--;
    }
    return named(end == 0 ? name : name.substring(0, end));
  }

  /**
   * The site of a task of which nothing is known but that it is spawned here. It walks the stack at
   * each call.
   */
  public static EntrySite here() {
    return spawner().map(at -> SPAWNED.computeIfAbsent(at, EntrySite::spawnedAt)).orElse(UNKNOWN);
  }

  private static EntrySite resolve(Class<?> taskClass) {
    if (!taskClass.isHidden()) {
      return new EntrySite(new TraceStack.Frame(taskClass.getName() + ".run", "", 0));
    }
    return spawner()
        .map(EntrySite::spawnedAt)
        .orElseGet(() -> new EntrySite(new TraceStack.Frame(taskClass.getName(), "", 0)));
  }

  private static Optional<StackTraceElement> spawner() {
    return WALKER.walk(frames ->
        frames
            .filter(frame -> !isBetween(frame.getClassName()))
            .findFirst()
            .map(StackWalker.StackFrame::toStackTraceElement));
  }

  private static EntrySite spawnedAt(StackTraceElement at) {
    String file = at.getFileName();
    return new EntrySite(
        new TraceStack.Frame(
            at.getClassName() + "." + at.getMethodName() + ".func:" + at.getLineNumber(),
            file == null ? "" : file,
            Math.max(0, at.getLineNumber())));
  }

  /** Threads and executors of the JDK stand between a user and a spawn as we do. */
  private static boolean isBetween(String className) {
    return OwnFrames.isOurs(className)
        || className.startsWith("java.util.")
        || className.startsWith("java.lang.Thread")
        || className.startsWith("java.lang.VirtualThread")
        || className.startsWith("java.lang.System$")
        || className.startsWith("jdk.internal.");
  }

  static List<EntrySite> all() {
    return LIST;
  }

  /** What goroutines from here are called. */
  public String name() {
    return stack.frames.getFirst().function();
  }

  @Override
  public String toString() {
    return name();
  }
}

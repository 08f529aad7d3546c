package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Stacks are those of the caller, and known again, wherever their frames come from. */
class StacksTest {
  private static final VarHandle BACKTRACE;

  static {
    try {
      BACKTRACE =
          MethodHandles.privateLookupIn(Throwable.class, MethodHandles.lookup())
              .findVarHandle(Throwable.class, "backtrace", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  enum Source {
    JVM,
    STACK_WALKER;

    Stacks stacks() {
      return stacksOf(this == JVM ? StacksTest::backtrace : _ -> null);
    }
  }

  private static Object backtrace(Throwable throwable) {
    return (Object) BACKTRACE.get(throwable);
  }

  private static Stacks stacksOf(Function<Throwable, @Nullable Object> backtrace) {
    return new Stacks(
        new ManualSubject(TraceOptions.DEFAULTS) {
          @Override
          public @Nullable Object backtrace(Throwable throwable) {
            return backtrace.apply(throwable);
          }
        });
  }

  private static <T> T deep(int depth, Supplier<T> leaf) {
    return depth == 0 ? leaf.get() : deep(depth - 1, leaf);
  }

  private static TraceStack overloaded(Stacks stacks, int unused) {
    return stacks.here(1);
  }

  private static TraceStack overloaded(Stacks stacks, float unused) {
    return stacks.here(1);
  }

  @Test
  void thisJvmShowsItsBacktraces() {
    assertNotNull(Backtrace.read(backtrace(new Throwable()), 16));
  }

  @ParameterizedTest
  @EnumSource
  void aStackIsTheCallers(Source source) {
    StackTraceElement here = new Throwable().getStackTrace()[0];
    TraceStack.Frame top = source.stacks().here(16).frames.getFirst();
    assertEquals(StacksTest.class.getName() + ".aStackIsTheCallers", top.function());
    assertEquals("StacksTest.java", top.file());
    assertEquals(here.getLineNumber() + 1, top.line());
  }

  @ParameterizedTest
  @EnumSource
  void theSamePlaceIsTheSameStackAndAnotherPlaceIsNot(Source source) {
    Stacks stacks = source.stacks();
    TraceStack[] seen = new TraceStack[3];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = stacks.here(16);
    }
    assertSame(seen[0], seen[1]);
    assertSame(seen[0], seen[2]);
    assertNotSame(seen[0], stacks.here(16));
  }

  @ParameterizedTest
  @EnumSource
  void methodsOfOneNameAreToldApart(Source source) {
    Stacks stacks = source.stacks();
    assertNotSame(overloaded(stacks, 1), overloaded(stacks, 1f));
    assertSame(overloaded(stacks, 1), overloaded(stacks, 2));
  }

  @ParameterizedTest
  @EnumSource
  void noMoreFramesThanAskedFor(Source source) {
    Stacks stacks = source.stacks();
    for (int depth : new int[] {1, 2, 31, 32, 33, 64, 128}) {
      assertEquals(depth, deep(200, () -> stacks.here(depth)).frames.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void stacksThatDifferBelowTheDepthAreTheSame(Source source) {
    Stacks stacks = source.stacks();
    Supplier<TraceStack> leaf = () -> stacks.here(40);
    TraceStack at100 = deep(100, leaf);
    assertSame(at100, deep(101, leaf));
    assertNotSame(at100, deep(35, leaf));
  }

  @Test
  void bothSourcesShowTheSameFrames() {
    List<List<TraceStack.Frame>> seen =
        Stream.of(Source.values())
            .map(source -> {
              Stacks stacks = source.stacks();
              return deep(70, () -> stacks.here(128)).frames;
            })
            .toList();
    assertEquals(seen.getFirst(), seen.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void aGoroutinesStackEndsWithItsFirstFunction(Source source) throws InterruptedException {
    Stacks stacks = source.stacks();
    TraceStack[] seen = new TraceStack[1];
    Thread.startVirtualThread(() -> seen[0] = stacks.here(128)).join();
    assertEquals(1, seen[0].frames.size(), () -> seen[0].frames.toString());
  }

  /** What other JVMs might keep in that field. */
  static Stream<Function<Throwable, Object>> strangers() {
    return Stream.of(
        _ -> "a text",
        _ -> new Object[0],
        _ -> new Object[7],
        _ -> new Object[] {new long[32], new int[32], new Object[32], null, null, null, null},
        _ -> new Object[] {new short[1], new int[1], new Object[32], null, null, null, null},
        _ ->
            new Object[] {
              new short[32], new int[32], new Object[] {"no class"}, null, null, null, null
            },
        _ ->
            new Object[] {
              new short[32], new int[32], new Object[] {String.class}, null, null, null, null
            },
        _ -> backtrace(new Throwable().fillInStackTrace()),
        throwable -> {
          Object[] parts = ((Object[]) backtrace(throwable)).clone();
          Object[] classes = ((Object[]) parts[2]).clone();
          classes[3] = String.class;
          parts[2] = classes;
          return parts;
        });
  }

  @ParameterizedTest
  @MethodSource("strangers")
  void whatIsNotABacktraceIsNotBelieved(Function<Throwable, Object> stranger) {
    TraceStack stack = stacksOf(stranger).here(8);
    assertEquals(
        StacksTest.class.getName() + ".whatIsNotABacktraceIsNotBelieved",
        stack.frames.getFirst().function());
  }

  @Test
  void twoStacksOfOneHashAreTwo() {
    RawStack a = new RawStack(new Object[] {"Aa"}, new long[1], 1, 0);
    RawStack b = new RawStack(new Object[] {"BB"}, new long[1], 1, 0);
    assertEquals(a.hash(), b.hash());
    assertFalse(a.sameAs(b));
    assertTrue(a.sameAs(new RawStack(new Object[] {"Aa"}, new long[1], 1, 0)));
  }

  @Test
  void theTableIsBoundedAndForgetsWhatIsNotUsed() {
    Stacks stacks = Source.STACK_WALKER.stacks();
    int most = 1 << 15;
    TraceStack used = stacks.of(at(0), 1);
    used.markUsed(7);
    for (int i = 1; i < most; i++) {
      stacks.of(at(i), 1);
    }
    assertSame(stacks.of(at(most - 1), 1), stacks.of(at(most - 1), 1), "still kept");
    assertNotSame(stacks.of(at(most), 1), stacks.of(at(most), 1), "full");
    stacks.prune(8);
    assertSame(used, stacks.of(at(0), 1));
    assertSame(stacks.of(at(most), 1), stacks.of(at(most), 1), "room again");
    stacks.clear();
    assertNotSame(used, stacks.of(at(0), 1));
  }

  private static StackTraceElement[] at(int line) {
    return new StackTraceElement[] {new StackTraceElement("C", "m", "C.java", line)};
  }

  @Test
  void onlyTheEventsThatWereAskedForGetAStack() {
    ManualSubject subject =
        new ManualSubject(
            TraceOptions.DEFAULTS
                .withJvmEvents(false)
                .withStackDepth(4)
                .withStackOn(java.util.Set.of(StackOn.BLOCK)));
    try (Recording _ = subject.tracer.start(java.io.OutputStream.nullOutputStream())) {
      assertNotSame(TraceStack.NONE, subject.tracer.stack(StackOn.BLOCK));
      assertSame(TraceStack.NONE, subject.tracer.stack(StackOn.UNBLOCK));
    }
  }
}

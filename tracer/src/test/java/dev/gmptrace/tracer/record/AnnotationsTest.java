package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks, regions, logs, names and stacks. */
@Timeout(60)
class AnnotationsTest {
  /** One goroutine on one P on one thread: the caller. */
  private static final class Alone extends ManualSubject {
    Alone(TraceOptions options) {
      super(options);
    }
  }

  private static final TraceOptions OPTIONS = TraceOptions.DEFAULTS.withJvmEvents(false);

  @Test
  void costNothingAndDoNothingWhenNothingIsRecorded() {
    Alone alone = new Alone(OPTIONS);
    assertSame(Task.NONE, alone.tracer.task("a"));
    assertSame(Region.NONE, alone.tracer.region("a"));
    try (Task task = alone.tracer.task("request");
        Region region = task.region("query")) {
      task.log("key", "value");
      assertSame(Region.NONE, region);
    }
    assertEquals(0, alone.tracer.task("a").id());
    assertSame(TraceStack.NONE, alone.tracer.stack(StackOn.USER));
  }

  @Test
  void areInTheTraceWithTheirTextsAndStacks() {
    Alone alone = new Alone(OPTIONS.withStackDepth(8));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Recording recording = alone.tracer.start(out);
    alone.enter();
    try (Task task = alone.tracer.task("request")) {
      try (Region _ = task.region("query")) {
        task.log("rows", "17");
      }
      try (Task child = task.task("child")) {
        assertNotEquals(task.id(), child.id());
      }
    }
    alone.tracer.label("tenant 7");
    recording.stop();
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    TraceTexts texts = new TraceTexts(out.toByteArray());
    List<String> seen = new ArrayList<>();
    for (TraceChecker.Event e : trace.ordered) {
      long[] a = e.args();
      switch (e.type()) {
        case USER_TASK_BEGIN -> seen.add("task " + texts.string(a[3]));
        case USER_REGION_BEGIN -> seen.add("region " + texts.string(a[2]));
        case USER_REGION_END -> seen.add("end " + texts.string(a[2]));
        case USER_LOG -> seen.add(texts.string(a[2]) + "=" + texts.string(a[3]));
        case USER_TASK_END -> seen.add("end");
        case GO_LABEL -> seen.add(texts.string(a[1]));
        default -> {}
      }
      if (e.type().hasStack() && e.type().id() >= EventType.USER_TASK_BEGIN.id()) {
        assertTrue(
            texts
                .top(a[a.length - 1])
                .startsWith("dev.gmptrace.tracer.record.AnnotationsTest.areInTheTrace"),
            texts.top(a[a.length - 1]));
      }
    }
    assertEquals(
        List.of(
            "task request",
            "region query",
            "rows=17",
            "end query",
            "task child",
            "end",
            "end",
            "tenant 7"),
        seen);
  }

  @Test
  void theSameStackIsInTheTableOnce() {
    Alone alone = new Alone(OPTIONS.withStackDepth(8));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Recording _ = alone.tracer.start(out)) {
      TraceStack[] stacks = new TraceStack[3];
      for (int i = 0; i < stacks.length; i++) {
        stacks[i] = alone.tracer.stack(StackOn.USER);
      }
      assertSame(stacks[0], stacks[2]);
      assertNotEquals(stacks[0], alone.tracer.stack(StackOn.USER));
    }
  }

  @Test
  void namesComeFromTheClassOrTheSpawningLine() {
    Runnable first = () -> {};
    Runnable second = () -> {};
    EntrySite a = EntrySite.of(first.getClass());
    EntrySite b = EntrySite.of(second.getClass());
    assertSame(a, EntrySite.of(first.getClass()));
    assertNotEquals(a.name(), b.name());
    assertTrue(a.name().contains(".func"), a.name());
    assertEquals("java.lang.Thread.run", EntrySite.of(Thread.class).name());
    assertSame(EntrySite.named("worker"), EntrySite.named("worker"));
    assertEquals("worker", EntrySite.named("worker").name());
  }

  @Test
  void manyTextsAreAllInTheTables() {
    Alone alone = new Alone(OPTIONS);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Recording recording = alone.tracer.start(out);
    alone.enter();
    for (int i = 0; i < 100_000; i++) {
      alone.tracer.log("n", Integer.toString(i));
    }
    recording.stop();
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertEquals(100_000, trace.counts.get(EventType.USER_LOG));
    assertFalse(trace.counts.containsKey(EventType.EVENTS_LOST));
  }
}

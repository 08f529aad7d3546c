package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gmptrace.tracer.Seed;
import dev.gmptrace.tracer.wire.EventType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a {@link TraceBuffer} is told comes back with the right arguments in the right places. The
 * events that change a state are held against a model by {@link RecorderTest}; these are the
 * others.
 */
@Timeout(60)
class RecordedEventsTest {
  private record Told(EventType type, List<Long> args) {}

  private static Told told(EventType type, long... args) {
    return new Told(type, Arrays.stream(args).boxed().toList());
  }

  /** Of the {@link ManualSubject}. */
  private static final int PROCS = 1;

  private static final Set<EventType> TOLD =
      EnumSet.of(
          EventType.PROCS_CHANGE,
          EventType.WORK_STEAL,
          EventType.GLOBAL_GET,
          EventType.GLOBAL_PUT,
          EventType.LOCAL_OVERFLOW,
          EventType.M_UNPARK,
          EventType.WAKE_P,
          EventType.PROC_HANDOFF,
          EventType.TIMER_FIRED,
          EventType.NETPOLL_READY,
          EventType.SCHED_SAMPLE,
          EventType.QUEUE_SAMPLE,
          EventType.GO_WAKE_REASON,
          EventType.STW_BEGIN,
          EventType.STW_END);

  private final Random random = Seed.random("RecordedEventsTest");
  private final TraceString text = TraceString.constant("a reason");

  /** Of any length as a varint. */
  private int number() {
    return random.nextInt() >>> (1 + random.nextInt(31));
  }

  private long big() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  /** An M, or none. */
  private int thread() {
    return random.nextInt(4) == 0 ? -1 : number();
  }

  private Told tell(TraceBuffer b, TracedG g) {
    int n = number();
    int k = number();
    int m = thread();
    long l = big();
    return switch (random.nextInt(14)) {
      case 0 -> {
        int procs = PROCS + 1 + n;
        b.procsChange(procs, TraceStack.NONE);
        yield told(EventType.PROCS_CHANGE, procs, 0);
      }
      case 1 -> {
        b.workSteal(n, k, 2);
        yield told(EventType.WORK_STEAL, n, k, 2);
      }
      case 2 -> {
        b.globalGet(n);
        yield told(EventType.GLOBAL_GET, n);
      }
      case 3 -> {
        b.globalPut(n);
        yield told(EventType.GLOBAL_PUT, n);
      }
      case 4 -> {
        b.localOverflow(n);
        yield told(EventType.LOCAL_OVERFLOW, n);
      }
      case 5 -> {
        b.mUnpark(m);
        yield told(EventType.M_UNPARK, m);
      }
      case 6 -> {
        b.wakeP(n);
        yield told(EventType.WAKE_P, n);
      }
      case 7 -> {
        b.procHandoff(n, m, 4);
        yield told(EventType.PROC_HANDOFF, n, m, 4);
      }
      case 8 -> {
        b.timerFired(n, l);
        yield told(EventType.TIMER_FIRED, n, l);
      }
      case 9 -> {
        b.netpollReady(n);
        yield told(EventType.NETPOLL_READY, n);
      }
      case 10 -> {
        b.schedSample(n, k, 3, 4, 5, 6, n);
        yield told(EventType.SCHED_SAMPLE, n, k, 3, 4, 5, 6, n);
      }
      case 11 -> {
        b.queueSample(n, k, 1, n, l);
        yield told(EventType.QUEUE_SAMPLE, n, k, 1, n, l);
      }
      case 12 -> {
        b.goWakeReason(g, text);
        yield told(EventType.GO_WAKE_REASON, g.goid(), text.id);
      }
      default -> {
        b.stwBegin(text, TraceStack.NONE);
        b.stwEnd();
        yield told(EventType.STW_BEGIN, text.id, 0);
      }
    };
  }

  @Test
  void whatIsToldComesBack() {
    ManualSubject subject = new ManualSubject(TraceOptions.DEFAULTS.withJvmEvents(false));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Recording recording = subject.tracer.start(out);
    subject.enter();
    List<Told> told = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      subject.proc.trace.begin(subject.thread);
      Told event = tell(subject.proc.trace, subject.g);
      told.add(event);
      if (event.type == EventType.STW_BEGIN) {
        told.add(told(EventType.STW_END));
      }
      subject.proc.trace.end();
    }
    assertEquals(0, recording.stop().lostEvents());
    assertEquals(
        TOLD, told.stream().map(Told::type).collect(Collectors.toSet()), "every kind was told");
    List<TraceChecker.Event> read =
        TraceChecker.check(out.toByteArray()).ordered.stream()
            .filter(e -> TOLD.contains(e.type()))
            // The recorder itself says how many Ps there are when a generation begins.
            .filter(e -> e.type() != EventType.PROCS_CHANGE || e.args()[1] != PROCS)
            .toList();
    int at = 0;
    for (TraceChecker.Event e : read) {
      Told expected = told.get(at++);
      assertEquals(expected.type, e.type());
      assertEquals(expected.args, Arrays.stream(e.args()).skip(1).boxed().toList());
    }
    assertEquals(told.size(), at);
  }
}

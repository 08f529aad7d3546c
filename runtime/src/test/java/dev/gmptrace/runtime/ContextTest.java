package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancellation down the tree, deadlines, values. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContextTest {
  private static final Context.Key<String> USER = new Context.Key<>("user");
  private static final Context.Key<Integer> DEPTH = new Context.Key<>("depth");

  @Test
  void backgroundIsNeverDone() {
    Context bg = Context.background();
    assertNull(bg.err());
    assertNull(bg.deadline());
    assertNull(bg.done().tryReceive());
    assertFalse(bg.done().isDrained());
    bg.check();
    assertEquals("context.Background", bg.toString());
  }

  @Test
  void cancelGoesDownAndNotUp() {
    CancelContext top = Context.background().withCancel();
    CancelContext a = top.withCancel();
    CancelContext b = top.withCancel();
    Context leaf = a.withValue(USER, "ann").withCancel();
    Context free = a.withoutCancel();
    a.cancel(new IllegalStateException("enough"));
    assertTrue(leaf.done().isDrained());
    assertTrue(a.done().isDrained());
    assertFalse(b.done().isDrained());
    assertFalse(top.done().isDrained());
    assertNull(free.err());
    CancelledException why = leaf.err();
    assertNotNull(why);
    assertEquals("context canceled", why.getMessage());
    assertFalse(why.isDeadlineExceeded());
    Throwable cause = why.getCause();
    assertTrue(cause != null && "enough".equals(cause.getMessage()));
    assertThrows(CancelledException.class, leaf::check);
    top.cancel();
    assertTrue(b.done().isDrained());
    // A child of one that is done is done at once.
    assertNotNull(top.withCancel().err());
    assertNotNull(top.withTimeout(Duration.ofHours(1)).err());
    a.cancel(); // the second time nothing happens
    assertEquals("context canceled", a.err() == null ? "" : String.valueOf(why.getMessage()));
  }

  @Test
  void valuesComeFromTheNearest() {
    Context c = Context.background().withValue(USER, "ann").withValue(DEPTH, 1);
    Context d = c.withCancel().withValue(DEPTH, 2);
    assertEquals("ann", d.value(USER));
    assertEquals(2, d.value(DEPTH));
    assertEquals(1, c.value(DEPTH));
    assertEquals("ann", d.withoutCancel().value(USER));
    assertNull(Context.background().value(USER));
    assertEquals("context.Background.WithValue(user).WithValue(depth)", c.toString());
  }

  @Test
  void deadlinePasses() {
    ChanTest.onProcs(
        2,
        () -> {
          try (CancelContext ctx = Context.background().withTimeout(Duration.ofMillis(5))) {
            Context child = ctx.withCancel();
            assertNull(child.done().receive());
            CancelledException why = child.err();
            assertNotNull(why);
            assertTrue(why.isDeadlineExceeded());
            assertEquals("context deadline exceeded", why.getMessage());
          }
          CancelContext past = Context.background().withDeadline(Instant.now().minusSeconds(1));
          assertNotNull(past.err());
          Instant soon = Instant.now().plusSeconds(100);
          CancelContext one = Context.background().withDeadline(soon);
          CancelContext two = one.withTimeout(Duration.ofHours(1));
          assertEquals(soon, two.deadline());
          one.cancel();
          assertFalse(one.err() == null || one.err().isDeadlineExceeded());
          assertNotNull(two.err());
        });
  }

  @Test
  void afterFuncRunsOnceUnlessStopped() {
    ChanTest.onProcs(
        2,
        () -> {
          CancelContext ctx = Context.background().withCancel();
          Chan<String> ran = Chan.make(4);
          Context.AfterFunc a = ctx.afterFunc(() -> ran.send("a"));
          Context.AfterFunc b = ctx.afterFunc(() -> ran.send("b"));
          assertTrue(b.stop());
          assertFalse(b.stop());
          ctx.cancel();
          assertEquals("a", ran.receive());
          assertFalse(a.stop());
          Context.AfterFunc late = ctx.afterFunc(() -> ran.send("late"));
          assertEquals("late", ran.receive());
          assertFalse(late.stop());
          assertNull(ran.receive(Duration.ofMillis(2)));
        });
  }

  @Test
  void afterFuncOfWhatIsNeverDoneCanBeStoppedOnce() {
    Context.AfterFunc a = Context.background().afterFunc(() -> {});
    assertTrue(a.stop());
    assertFalse(a.stop());
  }

  /** Else a parent that lives long would keep all the children it ever had. */
  @Test
  void cancelledChildLeavesItsParent() {
    CancelContext top = Context.background().withCancel();
    CancelContext a = top.withCancel();
    CancelContext b = top.withTimeout(Duration.ofHours(1));
    CancelContext c = top.withCancel();
    Context.AfterFunc f = top.afterFunc(() -> {});
    b.cancel();
    a.close();
    assertTrue(f.stop());
    c.cancel();
    assertNull(top.children);
  }

  /** Many children, so that cancelling takes a while between the one and the other. */
  @Test
  void whoSeesAReasonFindsItDone() {
    ChanTest.onProcs(
        4,
        () -> {
          for (int round = 0; round < 50; round++) {
            CancelContext ctx = Context.background().withCancel();
            for (int i = 0; i < 2_000; i++) {
              Context.AfterFunc _ = ctx.afterFunc(() -> {});
            }
            WaitGroup wg = new WaitGroup();
            for (int g = 0; g < 2; g++) {
              wg.go(() -> {
                while (ctx.err() == null) {
                  Go.checkPreempt();
                }
                assertTrue(ctx.done().isDrained());
              });
            }
            Go.gosched();
            ctx.cancel();
            assertNotNull(ctx.err());
            wg.await();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void manyCancelAtOnce(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          for (int round = 0; round < 100; round++) {
            CancelContext top = Context.background().withCancel();
            AtomicInteger ended = new AtomicInteger();
            WaitGroup wg = new WaitGroup();
            for (int g = 0; g < 6; g++) {
              boolean canceller = g % 3 == 0;
              wg.go(() -> {
                try (CancelContext mine = top.withCancel()) {
                  if (canceller) {
                    top.cancel();
                  }
                  assertNull(mine.done().receive());
                  ended.incrementAndGet();
                }
              });
            }
            wg.await();
            assertEquals(6, ended.get());
          }
        });
  }
}

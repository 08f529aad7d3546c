package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.FatalError;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.WaitReason;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Invariant G4 at channels and selects: who parks there without being in line is found out. */
@Timeout(60)
class WaitPlaceTest {
  private final Sched s = new Sched(SchedOptions.defaults().withProcs(2).withCheck(true));

  @AfterEach
  void end() {
    s.shutdown();
  }

  private static G current() {
    return Objects.requireNonNull(Proc.getg());
  }

  @Test
  void parksOnAChannelWithoutBeingInLine() {
    HChan<Integer> c = new HChan<>(0);
    FatalError e =
        assertThrows(
            FatalError.class,
            () ->
                s.run(() -> {
                  c.lock();
                  Proc.goparkunlock(current(), c, WaitReason.CHAN_RECEIVE);
                }));
    assertTrue(String.valueOf(e.getMessage()).contains("invariant G4"), e.getMessage());
  }

  @Test
  void parksInASelectWithoutBeingInLine() {
    Select select = new Select();
    Select.Case _ = select.receive(Chan.<Integer>make());
    assertTrue(select.tryNow() == null);
    s.run(() -> assertFalse(select.waits(current())));
  }
}

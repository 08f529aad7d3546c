package dev.gmptrace.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Time;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Goroutines go by the line that asked for them, however they are started. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SitesTest {
  private final Sched sched = new Sched(SchedOptions.defaults().withProcs(1).withDebug("check=1"));
  private final List<String> names = new ArrayList<>();

  @AfterEach
  void end() {
    sched.shutdown();
  }

  private static String mine() {
    return Objects.requireNonNull(Proc.getg()).entry().name();
  }

  private void one() {
    Foreign.call(sched, () -> names.add(mine()));
  }

  private void two() {
    Foreign.call(sched, () -> names.add(mine()));
  }

  private static String method(String name) {
    return name.replaceAll("\\.func:\\d+$", "");
  }

  private static final String HERE = SitesTest.class.getName();

  @Test
  void callsFromForeignThreads() {
    one();
    two();
    one();
    assertEquals(
        List.of(HERE + ".one", HERE + ".two", HERE + ".one"),
        names.stream().map(SitesTest::method).toList());
    assertEquals(names.get(0), names.get(2));
    assertNotEquals(names.get(0), names.get(1));
  }

  @Test
  void callsFromForeignVirtualThreads() throws InterruptedException {
    Thread.startVirtualThread(this::one).join();
    Thread.startVirtualThread(this::two).join();
    assertEquals(
        List.of(HERE + ".one", HERE + ".two"), names.stream().map(SitesTest::method).toList());
  }

  @Test
  void functionsOfTimers() {
    Go.run(
        sched,
        () -> {
          Chan<String> c = Chan.make();
          var _ = Go.afterFunc(Duration.ofNanos(1), () -> c.send(mine()));
          names.add(c.take());
          var _ = Time.afterFunc(Duration.ofNanos(1), () -> c.send(mine()));
          names.add(c.take());
        });
    for (String name : names) {
      assertEquals(HERE + ".lambda$functionsOfTimers$", method(name).replaceAll("\\d+$", ""));
    }
  }
}

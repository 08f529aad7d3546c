package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.tracer.record.Recording;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a scheduler does when there is little to do. */
@Timeout(60)
class IdleTest {
  /**
   * An M that ran out of work while another was spinning once took the P it had dropped back, again
   * and again, as long as needspinning was set: a million events a second and a busy core.
   */
  @Test
  void anIdleProcIsNotTakenBackForNothing() throws Exception {
    int rounds = 200;
    Sched s = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1"));
    Recording recording = s.tracer().start(OutputStream.nullOutputStream());
    Go.run(
        s,
        () -> {
          Chan<Integer> answers = Chan.make();
          for (int i = 0; i < rounds; i++) {
            int answer = i;
            Go.go(() -> {
              Go.sleep(Duration.ofMillis(1));
              answers.send(answer);
            });
            Go.sleep(Duration.ofMillis(2));
            answers.take();
          }
        });
    long events = recording.stop().events();
    s.shutdown();
    assertTrue(events < rounds * 300L, events + " events for " + rounds + " rounds");
  }
}

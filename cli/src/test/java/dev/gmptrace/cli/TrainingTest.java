package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the launcher runs in the background: it must come to its end, and in silence. */
@Timeout(300)
class TrainingTest {
  @Test
  void comesToItsEndInSilence() throws IOException, InterruptedException {
    Process training =
        new ProcessBuilder(
                ChildJvm.ownClass(Training.class.getName(), List.of("src/dist/lib/training.trace")))
            .redirectErrorStream(true)
            .start();
    String said = new String(training.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("", said);
    assertEquals(0, training.waitFor());
  }
}

package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The buffered channel and select again, with Lincheck deciding after each access to memory which
 * thread goes on, in place of the chance of a stress test.
 *
 * <p>Only operations that do not wait are checked so. One that waits makes the caller's thread an M
 * for a while, which takes Ps, wakes other Ms and sleeps until they wake it; those threads are not
 * Lincheck's, so it cannot decide who of them goes on. {@link LinearizabilityTest} has the waiting
 * ones, by stress.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModelCheckingTest {
  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(3)
        .invocationsPerIteration(100)
        .minimizeFailedScenario(false)
        .sequentialSpecification(LinearizabilityTest.BufferSpec.class);
  }

  @Test
  void bufferedChannelAndSelectAreLinearizable() {
    options().check(LinearizabilityTest.Buffered.class);
  }

  @Test
  void brokenBufferIsFound() {
    assertThrows(
        LincheckAssertionError.class,
        () -> options().iterations(20).check(LinearizabilityTest.BrokenBuffered.class));
  }
}

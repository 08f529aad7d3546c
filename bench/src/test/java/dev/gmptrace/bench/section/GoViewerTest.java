package dev.gmptrace.bench.section;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class GoViewerTest {
  @Test
  void takesTheFirstRangeOfALargeTrace() throws IOException {
    assertEquals(
        "view=proc&start=0&end=3142",
        GoViewer.firstRangeQuery(
            """
            <li><a href="/trace?view=proc&amp;start=0&amp;end=3142">View trace by proc (0s-1s)</a>
            <li><a href="/trace?view=proc&amp;start=3142&amp;end=9000">View trace by proc (1s-2s)</a>
            """));
  }

  @Test
  void aSmallTraceIsOneRange() throws IOException {
    assertEquals("view=proc", GoViewer.firstRangeQuery("<a href=\"/trace?view=proc\">"));
  }

  @Test
  void aPageWithoutOneIsAnError() {
    assertThrows(IOException.class, () -> GoViewer.firstRangeQuery("<html></html>"));
  }
}

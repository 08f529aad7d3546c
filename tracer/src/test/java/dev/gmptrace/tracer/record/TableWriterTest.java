package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.proto.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TableWriterTest {
  private final Tracer tracer = new ManualSubject(TraceOptions.DEFAULTS).tracer;
  private final TableWriter tables = new TableWriter(tracer);

  private static List<String> texts(List<Packet> packets) {
    List<String> texts = new ArrayList<>();
    packets.forEach(p -> texts.addAll(p.getStrings().getTextList()));
    return texts;
  }

  /** As when the JVM tells late what it did in a generation, and users log the same words. */
  @Test
  void aLateTextLeavesTheMarksOfTheGenerationAfterTheNextAlone() {
    Generation old = new Generation(1, 0);
    tables.writeUsed(old, packet -> {});
    TraceString logged = tracer.intern("a cause of this test only");
    tracer.use(logged, 3);

    List<Packet> late = new ArrayList<>();
    TraceString told = tables.late(old, "a cause of this test only", late::add);
    assertEquals("a cause of this test only", told.text());
    assertTrue(texts(late).contains("a cause of this test only"));
    late.clear();
    tables.late(old, "a cause of this test only", late::add);
    assertEquals(List.of(), late);

    // Else it would be pushed again, and the list of generation 3 would have no end.
    assertFalse(logged.markUsed(3));
    List<Packet> packets = new ArrayList<>();
    Generation next = new Generation(3, 0);
    tables.writeConstants(next, packet -> {});
    tables.writeUsed(next, packets::add);
    assertEquals(List.of("a cause of this test only"), texts(packets));
  }
}

package dev.gmptrace.tracer.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The tables of {@code docs/TRACE_FORMAT.md} are those of the code. With {@code
 * -Dgmptrace.writeDocs=true} it writes them instead.
 */
class FormatDocTest {
  private static final Path DOC = Path.of("..", "docs", "TRACE_FORMAT.md");

  @Test
  void tableOfEventsIsThatOfTheCode() throws IOException {
    StringBuilder table =
        new StringBuilder("| id | event | arguments | seq | says |\n|---|---|---|---|---|\n");
    for (EventType type : EventType.values()) {
      table
          .append("| ")
          .append(type.id())
          .append(" | ")
          .append(type.wireName())
          .append(" | ")
          .append(type.args().stream().map(EventType.Arg::name).collect(Collectors.joining(" ")))
          .append(" | ")
          .append(type.sequenced() ? "yes" : "")
          .append(" | ")
          .append(type.meaning())
          .append(" |\n");
    }
    check("events", table.toString());
  }

  @Test
  void kindsOfArgumentsAreThoseOfTheCode() throws IOException {
    StringBuilder table = new StringBuilder("| kind | is | arguments |\n|---|---|---|\n");
    for (ArgKind kind : ArgKind.values()) {
      String names =
          Arrays.stream(EventType.values())
              .flatMap(type -> type.args().stream())
              .filter(arg -> arg.kind() == kind)
              .map(EventType.Arg::name)
              .distinct()
              .collect(Collectors.joining(", "));
      table
          .append("| ")
          .append(kind)
          .append(" | ")
          .append(kind.meaning())
          .append(" | ")
          .append(names)
          .append(" |\n");
    }
    check("kinds", table.toString());
  }

  private static void check(String part, String table) throws IOException {
    String doc = Files.readString(DOC);
    int open = doc.indexOf("<!-- " + part + ":");
    int from = doc.indexOf("-->\n", open) + 4;
    int to = doc.indexOf("<!-- end of " + part + " -->");
    if (Boolean.getBoolean("gmptrace.writeDocs")) {
      Files.writeString(DOC, doc.substring(0, from) + table + doc.substring(to));
    } else {
      assertEquals(table, doc.substring(from, to), "write it with -Dgmptrace.writeDocs=true");
    }
  }
}

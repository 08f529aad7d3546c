package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsTest {
  @Test
  void whatIsSavedHoldsAllThereIsSoFar(@TempDir Path temp) throws IOException {
    Path file = temp.resolve("results/now.json");
    Results results = new Results(file, List.of(new Budget("b", "b", 1.0, null)));
    results.add("a", "ns", Spread.of(1));
    results.save();
    JsonNode first = JsonMapper.shared().readTree(Files.readString(file));
    assertEquals(1, first.get("measures").size());
    assertEquals("NOT_MEASURED", first.at("/budgets/0/outcome").asString());
    results.add("b", "ns", Spread.of(0.5));
    results.save();
    JsonNode second = JsonMapper.shared().readTree(Files.readString(file));
    assertEquals(2, second.get("measures").size());
    assertEquals("MET", second.at("/budgets/0/outcome").asString());
    try (var files = Files.list(temp.resolve("results"))) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void theUnmeasuredStandLast() {
    Results results =
        new Results(
            Path.of("unused"),
            List.of(new Budget("", "a", 1.0, null), new Budget("", "b", 1.0, null)));
    results.add("b", "x", Spread.of(2));
    List<String> lines = results.verdicts().lines().toList();
    assertTrue(lines.get(2).contains("NOT MET"), lines.get(2));
    assertTrue(lines.get(3).contains("not measured"), lines.get(3));
  }
}

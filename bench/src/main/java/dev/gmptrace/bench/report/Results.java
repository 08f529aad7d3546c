package dev.gmptrace.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Everything a run of the bench found out. */
public final class Results {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Map<String, String> about = new TreeMap<>();
  private final List<Measure> measures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Something to know about the machine or the peers. */
  public void about(String what, String value) {
    about.put(what, value);
  }

  /** Something a reader of the figures must know: a peer that was missing, a run that failed. */
  public void note(String text) {
    notes.add(text);
    System.out.println("note: " + text);
  }

  /** A figure. */
  public void add(String key, String unit, Spread value) {
    measures.add(new Measure(key, unit, value));
  }

  /** All figures so far. */
  public List<Measure> measures() {
    return List.copyOf(measures);
  }

  /** The budgets of a file like {@code bench/budgets.json}. */
  public static List<Budget> budgets(Path file) throws IOException {
    return JSON.readValue(Files.readString(file), new TypeReference<List<Budget>>() {});
  }

  /** The verdicts on the figures so far, those of unmeasured budgets left out. */
  public List<Budget.Verdict> judge(List<Budget> budgets) {
    return budgets.stream().flatMap(b -> b.judge(measures).stream()).toList();
  }

  /** Says of each budget whether it is met; the worst first. */
  public static String table(List<Budget.Verdict> verdicts) {
    Table table = new Table(List.of("budget", "limit", "measured", "spread", ""));
    verdicts.stream()
        .sorted((a, b) -> Double.compare(a.margin(), b.margin()))
        .forEach(v -> {
          Spread s = v.measure().value();
          table.row(
              List.of(
                  v.measure().key(),
                  v.budget().limit(),
                  "%.2f %s".formatted(s.median(), v.measure().unit()),
                  s.count() == 1 ? "" : "%.2f–%.2f".formatted(s.min(), s.max()),
                  v.met() ? "met" : "NOT MET"));
        });
    return table.toString();
  }

  /** Writes all of it as JSON. */
  public void write(Path file, List<Budget.Verdict> verdicts) throws IOException {
    record Document(
        Map<String, String> about,
        List<String> notes,
        List<Measure> measures,
        List<Budget.Verdict> budgets) {}
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(
        file, JSON.writeValueAsString(new Document(about, notes, measures, verdicts)) + "\n");
  }
}

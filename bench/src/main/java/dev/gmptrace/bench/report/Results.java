package dev.gmptrace.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything a run of the bench found out. The sections {@link #save} it whenever they have
 * something whole, so that a run that is interrupted keeps what it has.
 */
public final class Results {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path file;
  private final List<Budget> budgets;
  private final Map<String, String> about = new TreeMap<>();
  private final List<Measure> measures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** To be kept in that file and held against those budgets. */
  public Results(Path file, List<Budget> budgets) {
    this.file = file;
    this.budgets = List.copyOf(budgets);
  }

  /** Something to know about the machine or the peers. */
  public void about(String what, String value) {
    about.put(what, value);
  }

  /** Something a reader of the figures must know: a peer that was missing, a run that failed. */
  public void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
      System.out.println("note: " + text);
    }
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

  /** The verdicts on the figures so far. */
  public List<Budget.Verdict> judge() {
    return budgets.stream().flatMap(b -> b.judge(measures).stream()).toList();
  }

  /** Says of each budget whether it is met: the worst first, the unmeasured last. */
  public String verdicts() {
    Table table = new Table(List.of("budget", "limit", "measured", "spread", ""));
    judge().stream()
        .sorted(Comparator.comparingDouble(Budget.Verdict::margin))
        .forEach(v -> table.row(row(v.budget(), v.measure(), v.outcome())));
    return table.toString();
  }

  private static List<String> row(
      Budget budget, @Nullable Measure measure, Budget.Outcome outcome) {
    if (measure == null) {
      return List.of(budget.key(), budget.limit(), "", "", outcome.shown());
    }
    Spread s = measure.value();
    return List.of(
        measure.key(),
        budget.limit(),
        "%.2f %s".formatted(s.median(), measure.unit()),
        s.count() == 1 ? "" : "%.2f–%.2f".formatted(s.min(), s.max()),
        outcome.shown());
  }

  /** Writes all there is so far as JSON; a reader sees the file of before or this one. */
  public void save() throws IOException {
    record Document(
        Map<String, String> about,
        List<String> notes,
        List<Measure> measures,
        List<Budget.Verdict> budgets) {}
    Path target = file.toAbsolutePath();
    Files.createDirectories(target.getParent());
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.writeString(
        part, JSON.writeValueAsString(new Document(about, notes, measures, judge())) + "\n");
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
  }
}

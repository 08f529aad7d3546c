package dev.gmptrace.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A table for a terminal that is also a table in Markdown. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  /** With these column titles; the first column is set to the left, the others to the right. */
  public Table(List<String> titles) {
    rows.add(List.copyOf(titles));
  }

  /** Adds a row of as many cells as there are titles. */
  public Table row(List<String> cells) {
    if (cells.size() != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells for " + rows.getFirst().size() + " columns");
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int c = 0; c < columns; c++) {
        width[c] = Math.max(width[c], row.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      for (int c = 0; c < columns; c++) {
        String cell = rows.get(r).get(c);
        String space = " ".repeat(width[c] - cell.length());
        text.append("| ").append(c == 0 ? cell + space : space + cell).append(' ');
      }
      text.append("|\n");
      if (r == 0) {
        for (int c = 0; c < columns; c++) {
          text.append(c == 0 ? "|:" : "|-").append("-".repeat(width[c])).append(c == 0 ? "-" : ":");
        }
        text.append("|\n");
      }
    }
    return text.toString();
  }
}

package dev.gmptrace.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns of text under a header, two spaces apart. Names go left, numbers right. */
final class Table {
  private final boolean[] left;
  private final List<String[]> rows = new ArrayList<>();

  /** A column whose header begins with {@code <} is aligned to the left. */
  Table(String... header) {
    left = new boolean[header.length];
    String[] names = new String[header.length];
    for (int i = 0; i < header.length; i++) {
      left[i] = header[i].startsWith("<");
      names[i] = left[i] ? header[i].substring(1) : header[i];
    }
    rows.add(names);
  }

  Table row(Object... cells) {
    if (cells.length != left.length) {
      throw new IllegalArgumentException(cells.length + " cells for " + left.length + " columns");
    }
    String[] row = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      row[i] = String.valueOf(cells[i]);
    }
    rows.add(row);
    return this;
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  void print(Output out, String indent) {
    int[] width = new int[left.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        width[i] = Math.max(width[i], Style.width(row[i]));
      }
    }
    for (int r = 0; r < rows.size(); r++) {
      var line = new StringBuilder();
      String[] row = rows.get(r);
      for (int i = 0; i < row.length; i++) {
        String pad = " ".repeat(width[i] - Style.width(row[i]));
        line.append(i == 0 ? "" : "  ");
        line.append(left[i] ? row[i] + pad : pad + row[i]);
      }
      String text = line.toString().stripTrailing();
      out.append(indent).line(r == 0 ? out.style().dim(text) : text);
    }
  }
}

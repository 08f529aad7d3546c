package dev.gmptrace.cli;

import java.util.ArrayList;
import java.util.List;

/** Puts a value of GMPDEBUG together; what the user has set already stays and comes first. */
final class DebugText {
  private final List<String> items = new ArrayList<>();

  DebugText(String already) {
    if (!already.isBlank()) {
      items.add(already.strip());
    }
  }

  DebugText add(String key, Object value) {
    String text = String.valueOf(value);
    if (text.indexOf(',') >= 0) {
      throw CliException.usage(
          key + ": '" + text + "' contains a comma, which separates the items of GMPDEBUG");
    }
    items.add(key + "=" + text);
    return this;
  }

  @Override
  public String toString() {
    return String.join(",", items);
  }
}

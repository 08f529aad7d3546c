package dev.gmptrace.cli;

import dev.gmptrace.runtime.config.ConfigException;
import dev.gmptrace.runtime.config.DebugKey;
import dev.gmptrace.runtime.config.RuntimeConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Puts a value of GMPDEBUG together; what the user has set already stays and comes first. */
final class DebugText {
  private final List<String> items = new ArrayList<>();

  private DebugText() {}

  /**
   * Begins with what the environment says, once it is known to be sound. A program does not look at
   * GODEBUG any more when GMPDEBUG is set, so what means something here is taken over.
   */
  static DebugText of(Terminal terminal) {
    try {
      RuntimeConfig _ = RuntimeConfig.parse(terminal.env());
    } catch (ConfigException e) {
      throw CliException.usage(String.valueOf(e.getMessage()));
    }
    var text = new DebugText();
    String own = terminal.env("GMPDEBUG").strip();
    if (own.isEmpty()) {
      Arrays.stream(terminal.env("GODEBUG").split(",", -1))
          .map(String::strip)
          .filter(item -> DebugKey.isKey(item.replaceFirst("\\s*=.*", "")))
          .forEach(text.items::add);
    } else {
      text.items.add(own);
    }
    return text;
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

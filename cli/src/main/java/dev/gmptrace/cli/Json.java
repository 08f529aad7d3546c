package dev.gmptrace.cli;

import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** {@code --json}: records as they are, indented, times in nanoseconds. Loaded only when asked. */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
  private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

  private Json() {}

  static void print(Output out, Object value) {
    out.line(PRETTY.writeValueAsString(value));
  }

  /** A string with its quotes and escapes. */
  static String quote(String s) {
    return MAPPER.writeValueAsString(s);
  }
}

package dev.gmptrace.viewer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A binary answer: a JSON header that names typed arrays, then the arrays, so that the page reads
 * them without parsing or copying.
 *
 * <pre>
 *  0          4          8                 8+n, padded to 8
 *  +----------+----------+-----------------+----------+----------+---
 *  | "GMT1"   | n (u32)  | header, n bytes | column 1 | column 2 | …   little-endian,
 *  +----------+----------+-----------------+----------+----------+---  each padded to 8
 * </pre>
 *
 * <p>Times and ids are 64-bit floating point numbers: JavaScript has no other exact type that is as
 * fast, and 2^53 ns are 104 days.
 */
final class Columns {
  static final String CONTENT_TYPE = "application/vnd.gmptrace.columns";
  private static final int MAGIC = 0x31544d47; // "GMT1" read as a little-endian int
  private static final int ALIGN = 8;

  private record Column(String name, String type, int length) {}

  private final Map<String, Object> header = new LinkedHashMap<>();
  private final List<Column> columns = new ArrayList<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  Columns meta(String name, Object value) {
    header.put(name, value);
    return this;
  }

  Columns f64(String name, long[] values, int length) {
    ByteBuffer out = column(name, "f64", length, Double.BYTES);
    for (int i = 0; i < length; i++) {
      out.putDouble((double) values[i]);
    }
    return write(out);
  }

  Columns f64(String name, long[] values) {
    return f64(name, values, values.length);
  }

  Columns i32(String name, int[] values, int length) {
    ByteBuffer out = column(name, "i32", length, Integer.BYTES);
    out.asIntBuffer().put(values, 0, length);
    return write(out);
  }

  Columns u32(String name, int[] values, int length) {
    ByteBuffer out = column(name, "u32", length, Integer.BYTES);
    out.asIntBuffer().put(values, 0, length);
    return write(out);
  }

  Columns u8(String name, byte[] values, int length) {
    ByteBuffer out = column(name, "u8", length, 1);
    out.put(values, 0, length);
    return write(out);
  }

  byte[] toBytes() {
    header.put("columns", columns);
    byte[] json = Replies.toJson(header);
    int start = padded(2 * Integer.BYTES + json.length);
    byte[] columnBytes = body.toByteArray();
    ByteBuffer out = ByteBuffer.allocate(start + columnBytes.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putInt(json.length).put(json).position(start).put(columnBytes);
    return out.array();
  }

  private ByteBuffer column(String name, String type, int length, int width) {
    columns.add(new Column(name, type, length));
    return ByteBuffer.allocate(padded(length * width)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private Columns write(ByteBuffer column) {
    byte[] bytes = new byte[column.capacity()];
    column.get(0, bytes);
    body.write(bytes, 0, bytes.length);
    return this;
  }

  private static int padded(int n) {
    return (n + ALIGN - 1) & -ALIGN;
  }
}

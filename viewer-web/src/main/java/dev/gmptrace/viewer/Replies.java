package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.LaneId;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * How answers leave the server: JSON by our own mapper (an embedding application may have set
 * another), compressed here rather than by the server so that it holds when embedded as well.
 */
final class Replies {
  private static final int WORTH_COMPRESSING = 1024;
  private static final Pattern GZIP = Pattern.compile("\\bgzip\\b");

  /** Named, and refused by its weight. */
  private static final Pattern NO_GZIP = Pattern.compile("\\bgzip\\s*;\\s*q=0(\\.0*)?\\s*(,|$)");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(
              new SimpleModule("lanes").addSerializer(LaneId.class, ToStringSerializer.instance))
          .build();

  private Replies() {}

  static void json(Context ctx, @Nullable Object value) {
    bytes(ctx, "application/json", JSON.writeValueAsBytes(value));
  }

  static byte[] toJson(Object value) {
    return JSON.writeValueAsBytes(value);
  }

  static void columns(Context ctx, Columns columns) {
    bytes(ctx, Columns.CONTENT_TYPE, columns.toBytes());
  }

  static void error(Context ctx, int status, String message) {
    ctx.status(status);
    json(ctx, Map.of("error", message));
  }

  static void bytes(Context ctx, String contentType, byte[] body) {
    ctx.contentType(contentType).header("Vary", "Accept-Encoding");
    if (body.length >= WORTH_COMPRESSING && acceptsGzip(ctx.header("Accept-Encoding"))) {
      ctx.header("Content-Encoding", "gzip").result(gzip(body));
    } else {
      ctx.result(body);
    }
  }

  private static boolean acceptsGzip(@Nullable String accepted) {
    return accepted != null && GZIP.matcher(accepted).find() && !NO_GZIP.matcher(accepted).find();
  }

  /** The fastest level: on a loopback connection more would cost more time than it saves. */
  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 2 + 64);
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out, 8192) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}

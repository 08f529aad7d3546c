package dev.gmptrace.viewer;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The page itself: a fixed list of files from the class path, held in memory. Nothing a request
 * says can name another file.
 */
final class WebFiles {
  private static final String[][] FILES = {
    {"index.html", "text/html; charset=utf-8"},
    {"app.js", "text/javascript; charset=utf-8"},
    {"app.css", "text/css; charset=utf-8"},
    {"app.js.map", "application/json"},
    {"app.css.map", "application/json"},
  };

  private static final class WebFile {
    final byte[] bytes;
    final String type;
    final String etag;

    WebFile(byte[] bytes, String type) {
      this.bytes = bytes;
      this.type = type;
      CRC32 crc = new CRC32();
      crc.update(bytes);
      this.etag = '"' + HexFormat.of().toHexDigits(crc.getValue(), 8) + '"';
    }
  }

  private final Map<String, WebFile> files = new LinkedHashMap<>();

  WebFiles() {
    for (String[] file : FILES) {
      try (InputStream in = WebFiles.class.getResourceAsStream("web/" + file[0])) {
        if (in == null) {
          throw new IllegalStateException(
              "The viewer's page is missing from the class path (web/"
                  + file[0]
                  + "); build the viewer-web module");
        }
        files.put(file[0], new WebFile(in.readAllBytes(), file[1]));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  Iterable<String> names() {
    return files.keySet();
  }

  void serve(Context ctx, String name) {
    WebFile file = files.get(name);
    if (file == null) {
      ctx.status(404);
      return;
    }
    ctx.header("ETag", file.etag).header("Cache-Control", "no-cache");
    if (file.etag.equals(ctx.header("If-None-Match"))) {
      ctx.status(304);
      return;
    }
    Replies.bytes(ctx, file.type, file.bytes);
  }
}

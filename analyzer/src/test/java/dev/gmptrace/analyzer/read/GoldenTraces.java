package dev.gmptrace.analyzer.read;

import dev.gmptrace.analyzer.print.GoEventText;
import dev.gmptrace.analyzer.print.TextOut;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The Go traces among the test resources, and the text Go's own tool prints for each. */
final class GoldenTraces {
  /** The one that is broken on purpose. */
  static final String BROKEN = "go122-create-syscall-with-p";

  private GoldenTraces() {}

  static Path directory() {
    try {
      URL url = Objects.requireNonNull(GoldenTraces.class.getResource("/go-traces/README.md"));
      URI uri = url.toURI();
      return Objects.requireNonNull(Path.of(uri).getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<String> names() {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.endsWith(".trace"))
          .map(n -> n.substring(0, n.length() - ".trace".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path file(String name) {
    return directory().resolve(name + ".trace");
  }

  static byte[] bytes(String name) {
    try {
      return Files.readAllBytes(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String expectedText(String name) {
    Path gz = directory().resolve(name + ".parsed.txt.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(gz))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What we print, and how the reading went. */
  record Printed(String text, ReadResult result) {}

  static Printed print(Path file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TraceReader reader = TraceReader.open(file);
        TextOut out = new TextOut(bytes)) {
      ReadResult result = reader.read(new GoEventText(reader.tables(), out, ZoneOffset.UTC));
      out.flush();
      return new Printed(bytes.toString(StandardCharsets.UTF_8), result);
    }
  }
}

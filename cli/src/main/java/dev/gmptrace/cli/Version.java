package dev.gmptrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote into {@code version.properties}. */
final class Version {
  private Version() {}

  static String number() {
    var properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }

  static String line() {
    return "gmptrace " + number() + " (Java " + System.getProperty("java.version") + ")";
  }
}

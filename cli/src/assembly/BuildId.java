import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the id of a build, a digest of all that is on its class path: {@code java BuildId.java FILE
 * CLASS_PATH}. Two builds with the same id run the same code. The launcher names its start-up cache
 * by it, for time stamps cannot tell two builds apart: a reproducible build gives every jar the same.
 */
final class BuildId {
  private BuildId() {}

  public static void main(String[] args) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String entry : args[1].split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          add(digest, path, file);
        }
      }
    }
    Path target = Path.of(args[0]).toAbsolutePath();
    Files.createDirectories(target.getParent());
    Files.writeString(target, HexFormat.of().formatHex(digest.digest(), 0, 8) + "\n");
  }

  private static void add(MessageDigest digest, Path entry, Path file) throws IOException {
    // Of a jar the last part of its path, for the rest says where the checkout is.
    Path name = Files.isDirectory(entry) ? entry.relativize(file) : file.getFileName();
    for (Object part : List.of(name, Files.size(file))) {
      digest.update((part + "\0").getBytes(StandardCharsets.UTF_8));
    }
    digest.update(Files.readAllBytes(file));
  }
}

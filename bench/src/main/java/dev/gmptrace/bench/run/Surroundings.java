package dev.gmptrace.bench.run;

import dev.gmptrace.bench.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What has to be known to compare the figures of two runs: the machine, the code, the settings. */
public final class Surroundings {
  private static final Pattern COLLECTOR = Pattern.compile(" Use(\\w+)GC +:?= true");

  private Surroundings() {}

  /** Tells the results about them. */
  public static void describe(Path home, Effort effort, Results results)
      throws IOException, InterruptedException {
    results.about("date", LocalDateTime.now(ZoneOffset.UTC).withNano(0).toString());
    results.about("mode", effort.name());
    results.about("rounds", Integer.toString(effort.rounds()));
    results.about("commit", commit(home));
    results.about("jdk", System.getProperty("java.runtime.version"));
    results.about("jvm-options", String.join(" ", Peers.JVM_OPTIONS));
    results.about("jvm-collector", collector(home));
    results.about("go-settings", goSettings(System.getenv()));
    results.about("os", system(System.getProperty("os.name"), System.getProperty("os.version")));
    results.about("cpus", Integer.toString(Runtime.getRuntime().availableProcessors()));
    results.about("cpu", value("/proc/cpuinfo", "model name"));
    results.about("ram", gibibytes(value("/proc/meminfo", "MemTotal")));
    Path load = Path.of("/proc/loadavg");
    if (Files.exists(load)) {
      results.about("load", averages(Files.readString(load)));
    }
  }

  /** The system and the version of its kernel, less what only says where that was built. */
  static String system(String name, String version) {
    Matcher number = Pattern.compile("\\d+(\\.\\d+)?").matcher(version);
    return number.lookingAt() ? name + " " + number.group() : name;
  }

  /** {@code 1.50 1.65 6.53}, without the numbers of processes. */
  private static String averages(String line) {
    return String.join(" ", List.of(line.split(" ", -1)).subList(0, 3));
  }

  static String goSettings(Map<String, String> environment) {
    List<String> settings = new ArrayList<>();
    settings.add("GOGC=" + Objects.requireNonNullElse(environment.get("GOGC"), "100"));
    for (String name : List.of("GOMEMLIMIT", "GODEBUG", "GOAMD64")) {
      String value = environment.get(name);
      if (value != null) {
        settings.add(name + "=" + value);
      }
    }
    return String.join(" ", settings);
  }

  private static String commit(Path home) throws IOException, InterruptedException {
    String id = firstLine(List.of("git", "rev-parse", "--short", "HEAD"), home);
    if (id == null) {
      return "unknown";
    }
    boolean changed =
        firstLine(List.of("git", "status", "--porcelain", "--untracked-files=no"), home) != null;
    return changed ? id + " with changes" : id;
  }

  /** What the JVM chooses on this machine with those options. */
  private static String collector(Path home) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Peers.java()));
    command.addAll(Peers.JVM_OPTIONS);
    command.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
    return Child.run(command, home, Map.of(), 60).output().stream()
        .map(COLLECTOR::matcher)
        .filter(Matcher::find)
        .map(m -> m.group(1))
        .findFirst()
        .orElse("unknown");
  }

  private static @Nullable String firstLine(List<String> command, Path home)
      throws InterruptedException {
    try {
      Child.Outcome outcome = Child.run(command, home, Map.of(), 60);
      return outcome.exitCode() == 0 && !outcome.output().isEmpty()
          ? outcome.output().getFirst()
          : null;
    } catch (IOException e) {
      return null; // an unpacked archive, or no git
    }
  }

  private static String gibibytes(String kibibytes) {
    String digits = kibibytes.replaceAll("\\D", "");
    return digits.isEmpty() ? "unknown" : Math.round(Long.parseLong(digits) / 1048576.0) + " GiB";
  }

  private static String value(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      return "unknown";
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.replaceFirst("^[^:]*: *", ""))
        .findFirst()
        .orElse("unknown");
  }
}

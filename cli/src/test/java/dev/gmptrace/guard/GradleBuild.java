package dev.gmptrace.guard;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the Gradle files say, read as text: no Gradle is needed. It understands the forms that our
 * files use ({@code api(libs.x.y)}, {@code api(project(":m"))}) and refuses others, so that a
 * dependency cannot slip past the comparison.
 */
final class GradleBuild {
  private static final Pattern DEPENDENCY =
      Pattern.compile("^\\s*\"?(\\w+)\"?\\((libs\\.[\\w.]+|project\\(\":[\\w-]+\"\\))\\)\\s*$");
  private static final Pattern SHARED =
      Pattern.compile("\"(\\w+)\"\\(catalog\\.findLibrary\\(\"([\\w-]+)\"\\)\\.get\\(\\)\\)");

  private final Path root;
  private final String rootBuild;
  private final Map<String, String> versions = new TreeMap<>();
  private final Map<String, String> libraries = new TreeMap<>();

  private GradleBuild(Path root) {
    this.root = root;
    this.rootBuild = Repository.read(root.resolve("build.gradle.kts"));
    String catalog = Repository.read(root.resolve("gradle/libs.versions.toml"));
    Matcher version = Pattern.compile("(?m)^([\\w-]+) = \"([^\"]+)\"$").matcher(catalog);
    while (version.find()) {
      versions.put(version.group(1), version.group(2));
    }
    Matcher library =
        Pattern.compile(
                "(?m)^([\\w-]+) = \\{ module = \"([^\"]+)\", version\\.ref = \"([^\"]+)\" }$")
            .matcher(catalog);
    while (library.find()) {
      libraries.put(library.group(1), library.group(2) + ":" + versions.get(library.group(3)));
    }
  }

  static GradleBuild read(Path root) {
    return new GradleBuild(root);
  }

  Set<String> modules() {
    String settings = Repository.read(root.resolve("settings.gradle.kts"));
    Set<String> modules = new TreeSet<>();
    Matcher include = Pattern.compile("include\\(([^)]*)\\)").matcher(settings);
    while (include.find()) {
      Matcher name = Pattern.compile("\"([^\"]+)\"").matcher(include.group(1));
      while (name.find()) {
        modules.add(name.group(1));
      }
    }
    return modules;
  }

  String projectVersion() {
    Matcher matcher = Pattern.compile("(?m)^\\s*version = \"([^\"]+)\"").matcher(rootBuild);
    if (!matcher.find()) {
      throw new IllegalStateException("build.gradle.kts sets no version");
    }
    return matcher.group(1);
  }

  Map<String, String> versions() {
    return versions;
  }

  Map<String, String> libraries() {
    return libraries;
  }

  /** In the form of {@link MavenBuild#dependencies}. */
  List<String> dependencies(String module) {
    List<String> result = new ArrayList<>();
    Matcher shared = SHARED.matcher(rootBuild);
    while (shared.find()) {
      add(shared.group(1), library(shared.group(2)), result);
    }
    Path file = root.resolve(module).resolve("build.gradle.kts");
    boolean inside = false;
    for (String line : Repository.read(file).lines().toList()) {
      if (line.startsWith("dependencies {")) {
        inside = true;
      } else if (line.startsWith("}")) {
        inside = false;
      } else if (inside && !line.isBlank() && !line.strip().startsWith("//")) {
        Matcher matcher = DEPENDENCY.matcher(line);
        if (!matcher.matches()) {
          throw new IllegalStateException(
              file + ": cannot compare the dependency: " + line.strip());
        }
        String what = matcher.group(2);
        String name =
            what.startsWith("libs.")
                ? library(what.substring("libs.".length()).replace('.', '-'))
                : what.substring("project(\"".length(), what.length() - "\")".length());
        add(matcher.group(1), name, result);
      }
    }
    return result;
  }

  /** In the form of {@link MavenBuild#processors}. */
  Set<String> processors(String module) {
    Set<String> result = new TreeSet<>();
    Matcher shared = Pattern.compile("for \\(checker in listOf\\(([^)]*)\\)\\)").matcher(rootBuild);
    while (shared.find()) {
      Matcher name = Pattern.compile("\"([^\"]+)\"").matcher(shared.group(1));
      while (name.find()) {
        result.add(library(name.group(1)));
      }
    }
    String build = Repository.read(root.resolve(module).resolve("build.gradle.kts"));
    Matcher own = Pattern.compile("(?i)annotationProcessor\\(libs\\.([\\w.]+)\\)").matcher(build);
    while (own.find()) {
      result.add(library(own.group(1).replace('.', '-')));
    }
    return result;
  }

  /** In the form of {@link MavenBuild#testJvmArgs}. */
  Set<String> testJvmArgs() {
    Matcher list = Pattern.compile("val gmptraceJvmArgs = listOf\\(([^)]*)\\)").matcher(rootBuild);
    Set<String> result = new TreeSet<>();
    if (list.find()) {
      Matcher option = Pattern.compile("\"([^\"]+)\"").matcher(list.group(1));
      while (option.find()) {
        result.add(option.group(1));
      }
    }
    return result;
  }

  Set<String> compilerChecks() {
    return MavenBuild.checks(rootBuild);
  }

  private static void add(String configuration, String name, List<String> result) {
    switch (configuration) {
      case "api", "implementation" -> result.add("main " + name);
      case "testImplementation" -> result.add("test " + name);
      case "annotationProcessor", "testAnnotationProcessor" -> {
        // Maven names these in the compiler plugin; their versions are compared by key.
      }
      default ->
          throw new IllegalStateException("configuration " + configuration + " is not compared");
    }
  }

  private String library(String alias) {
    String found = libraries.get(alias);
    if (found == null) {
      throw new IllegalStateException("gradle/libs.versions.toml has no library " + alias);
    }
    return found;
  }
}

package dev.gmptrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The Maven build runs in CI and the Gradle build does not, so this is what keeps them alike. */
class BuildParityTest {
  private static final Path ROOT = Repository.root();
  private final MavenBuild maven = MavenBuild.read(ROOT);
  private final GradleBuild gradle = GradleBuild.read(ROOT);

  @Test
  void bothHaveTheSameModules() {
    assertFalse(maven.modules().isEmpty(), "no <module> found in pom.xml");
    assertEquals(maven.modules(), gradle.modules());
  }

  @Test
  void bothHaveTheSameProjectVersion() {
    assertEquals(maven.projectVersion(), gradle.projectVersion());
  }

  @Test
  void bothNameTheSameVersions() {
    assertEquals(maven.versions(), gradle.versions());
  }

  @Test
  void everyModuleHasTheSameDependencies() {
    for (String module : maven.modules()) {
      Set<String> expected = new TreeSet<>(maven.dependencies(module));
      assertFalse(expected.isEmpty(), module + " has no dependencies in pom.xml");
      assertEquals(expected, new TreeSet<>(gradle.dependencies(module)), "module " + module);
    }
  }

  @Test
  void bothCheckWithTheSameCompilerPlugins() {
    assertEquals(maven.compilerChecks(), gradle.compilerChecks());
  }

  @Test
  void bothProcessAnnotationsWithTheSame() {
    for (String module : maven.modules()) {
      Set<String> expected = maven.processors(module);
      assertFalse(expected.isEmpty(), module + " has no annotation processors in pom.xml");
      assertEquals(expected, gradle.processors(module), "module " + module);
    }
  }

  @Test
  void bothTestInTheSameJvm() {
    assertFalse(maven.testJvmArgs().isEmpty(), "pom.xml sets no gmptrace.jvmArgs");
    assertEquals(maven.testJvmArgs(), gradle.testJvmArgs());
  }

  @Test
  void gradleVersionCatalogHasNoUnusedLibrary() throws IOException {
    StringBuilder builds = new StringBuilder(Files.readString(ROOT.resolve("build.gradle.kts")));
    for (String module : gradle.modules()) {
      builds.append(Files.readString(ROOT.resolve(module).resolve("build.gradle.kts")));
    }
    for (String alias : gradle.libraries().keySet()) {
      assertTrue(
          builds.indexOf("libs." + alias.replace('-', '.')) >= 0
              || builds.indexOf('"' + alias + '"') >= 0,
          "gradle/libs.versions.toml lists " + alias + ", which no build file uses");
    }
  }
}

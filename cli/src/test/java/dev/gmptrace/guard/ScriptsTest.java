package dev.gmptrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts find a JDK 25 where people keep theirs, and say what to install when there is none;
 * the one that tests everything says at its end why it fails; a start-up cache serves one build.
 */
class ScriptsTest {
  private static final Path ROOT = Repository.root();

  @TempDir Path temp;

  @BeforeEach
  void needsAShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh here");
  }

  @Test
  void takesJavaHomeWhenItIsNewEnough() throws Exception {
    Path jdk = fakeJdk("a/jdk", "26.0.1");
    Result result = findJdk(Map.of("JAVA_HOME", jdk.toString(), "GMPTRACE_JDK_DIRS", ""));
    assertEquals(new Result(0, jdk.toString(), ""), result);
  }

  @Test
  void passesOverAnOldJavaHomeAndFindsAnInstalledOne() throws Exception {
    Path old = fakeJdk("old", "17.0.15");
    fakeJdk("jvm/java-21", "21.0.2");
    Path fits = fakeJdk("jvm/temurin-25", "25.0.3");
    Result result =
        findJdk(
            Map.of(
                "JAVA_HOME", old.toString(), "GMPTRACE_JDK_DIRS", temp.resolve("jvm").toString()));
    assertEquals(new Result(0, fits.toString(), ""), result);
  }

  @Test
  void findsTheHomeInsideAMacBundleAndFoldersWithSpaces() throws Exception {
    Path fits = fakeJdk("Java VMs/zulu-25.jdk/Contents/Home", "25");
    Result result = findJdk(Map.of("GMPTRACE_JDK_DIRS", temp.resolve("Java VMs").toString()));
    assertEquals(new Result(0, fits.toString(), ""), result);
  }

  @Test
  void saysWhatToInstallWhenThereIsNone() throws Exception {
    Path old = fakeJdk("old", "17.0.15");
    Result result = findJdk(Map.of("JAVA_HOME", old.toString(), "GMPTRACE_JDK_DIRS", ""));
    assertEquals(2, result.exit());
    assertEquals("", result.out());
    assertTrue(result.err().contains("needs a JDK 25 or newer and found none"), result.err());
    assertTrue(result.err().contains("JAVA_HOME=" + old + " is Java 17"), result.err());
    assertTrue(result.err().contains("Install one"), result.err());
  }

  @Test
  void aRuntimeWithoutCompilerIsNotEnoughToBuild() throws Exception {
    Path runtime = fakeJdk("jre", "25.0.3");
    Files.delete(runtime.resolve("bin/javac"));
    Result result =
        run("find_jdk javac", Map.of("JAVA_HOME", runtime.toString(), "GMPTRACE_JDK_DIRS", ""));
    assertEquals(2, result.exit());
    assertTrue(result.err().contains("Java 25 without a compiler"), result.err());
  }

  @Test
  void theTestScriptSaysAtItsEndWhyItFails() throws Exception {
    Result red =
        testScript(
            """
            case "$*" in
            *spotless:check*) printf '[ERROR] bad:\\n    src/Ugly.java\\n'; exit 1 ;;
            *) echo '[INFO] lines and lines' ;;
            esac
            """);
    assertEquals(1, red.exit(), red.out());
    assertEquals(
        """
        == FORMAT: files differ from google-java-format; 'mvn spotless:apply' mends them
           src/Ugly.java
        1 passed, 0 failed, 0 skipped\
        """,
        red.out().substring(red.out().indexOf("== FORMAT")));
    Result broken =
        testScript(
            """
            case "$*" in
            *verify*) echo '[ERROR] Failed to execute goal x:y on project z: no'; exit 1 ;;
            esac
            """);
    assertEquals(1, broken.exit(), broken.out());
    assertTrue(
        broken.out().endsWith("goal x:y on project z: no\n1 passed, 0 failed, 0 skipped"),
        broken.out());
    Result green = testScript("exit 0");
    assertEquals(0, green.exit(), green.out());
    assertTrue(green.out().endsWith("\n1 passed, 0 failed, 0 skipped"), green.out());
  }

  /** The script in a repository of one test, with this text for a Maven. */
  private Result testScript(String maven) throws Exception {
    Path repository = temp.resolve("repository");
    for (String file :
        new String[] {
          "test", "scripts/build-env.sh", "scripts/count-tests.mjs", "cli/src/dist/lib/find-jdk.sh"
        }) {
      Path to = repository.resolve(file);
      Files.createDirectories(to.getParent());
      Files.copy(ROOT.resolve(file), to, StandardCopyOption.REPLACE_EXISTING);
    }
    Path bin = Files.createDirectories(temp.resolve("bin"));
    String report = "one/target/surefire-reports";
    Path mvn =
        Files.writeString(
            bin.resolve("mvn"),
            "#!/bin/sh\nmkdir -p "
                + report
                + "\necho '<testcase name=\"a\" classname=\"B\"/>' > "
                + report
                + "/TEST-B.xml\n"
                + maven);
    assertTrue(mvn.toFile().setExecutable(true));
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", repository.resolve("test").toString())
            .redirectErrorStream(true);
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("GMPTRACE_BROWSER", "/bin/true");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), out.strip(), "");
  }

  @Test
  @Timeout(120)
  void aBuildWithTheSameTimeStampsAndSizesDoesNotRunOnTheCacheOfTheOneBefore() throws Exception {
    Path home = installation();
    put(home, "one", "aaaa");
    assertEquals("", cacheUsed(home));
    String first = awaitCacheOtherThan("", home);
    assertEquals(first, cacheUsed(home));

    put(home, "two", "bbbb");
    assertEquals("", cacheUsed(home));
    String second = awaitCacheOtherThan(first, home);
    assertEquals(second, cacheUsed(home));
    for (int i = 0; Files.exists(Path.of(first)) && i < 600; i++) {
      Thread.sleep(50); // It is removed by the same shell, right after the new one is in place.
    }
    assertFalse(Files.exists(Path.of(first)), "the old cache is still there");
  }

  @Test
  void withoutABuildIdThereIsNoCache() throws Exception {
    Path home = installation();
    put(home, "one", "aaaa");
    Files.delete(home.resolve("lib/build-id"));
    assertEquals("", cacheUsed(home));
    try (var files = Files.list(home.resolve("lib"))) {
      assertEquals(
          List.of("find-jdk.sh", "gmptrace.jar"),
          files.map(f -> String.valueOf(f.getFileName())).sorted().toList());
    }
  }

  /** The launcher where it is installed, but for jars. */
  private Path installation() throws IOException {
    Path home = temp.resolve("installed");
    for (String file : new String[] {"bin/gmptrace", "lib/find-jdk.sh"}) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.copy(ROOT.resolve("cli/src/dist").resolve(file), home.resolve(file));
    }
    return home;
  }

  /** What a reproducible build leaves: another content, another id, the same time stamp. */
  private static void put(Path home, String content, String id) throws IOException {
    Path jar = Files.writeString(home.resolve("lib/gmptrace.jar"), content);
    Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    Files.writeString(home.resolve("lib/build-id"), id + "\n");
  }

  /**
   * Starts the command on a JVM that prints the cache it is given, and makes what it shall make.
   */
  private String cacheUsed(Path home) throws Exception {
    Path jdk = fakeJdk("jdk", "25.0.3");
    Files.writeString(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        for option; do
          case $option in
          -XX:AOTCache=*) echo "${option#*=}" ;;
          -XX:AOTCacheOutput=*) echo made > "${option#*=}" ;;
          esac
        done
        """);
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", home.resolve("bin/gmptrace").toString(), "--version");
    builder.environment().keySet().removeIf(key -> key.startsWith("GMPTRACE"));
    builder.environment().put("JAVA_HOME", jdk.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return out.strip();
  }

  private static String awaitCacheOtherThan(String old, Path home) throws Exception {
    for (int i = 0; i < 600; i++) {
      try (var files = Files.list(home.resolve("lib"))) {
        for (Path file : files.toList()) {
          if (file.toString().endsWith(".aot") && !file.toString().equals(old)) {
            return file.toString();
          }
        }
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no cache within half a minute");
  }

  @Test
  @Timeout(120)
  void oneBuildServesBothScriptsUntilASourceChanges() throws Exception {
    Path repository = temp.resolve("checkout");
    for (String file : new String[] {"scripts/build-env.sh", "cli/src/dist/lib/find-jdk.sh"}) {
      Files.createDirectories(repository.resolve(file).getParent());
      Files.copy(ROOT.resolve(file), repository.resolve(file));
    }
    Path launcher = repository.resolve("cli/src/dist/bin/gmptrace");
    Files.createDirectories(launcher.getParent());
    Files.writeString(launcher, "");
    Files.writeString(repository.resolve("pom.xml"), "");
    String script =
        """
        set -eu
        root=$1
        . "$root/scripts/build-env.sh"
        need_tool() { :; }
        use_jdk() { :; }
        build() {
          echo "built by $who"
          mkdir -p "$root/cli/target/gmptrace-1/gmptrace-1/bin"
          cp /bin/sh "$root/cli/target/gmptrace-1/gmptrace-1/bin/gmptrace"
        }
        who=bench
        build_if_stale "$root/bench/target/run.stamp" build "$root/cli/target/dist.stamp"
        who=gmptrace
        build_if_stale "$root/cli/target/dist.stamp" build
        touch -t 203801010000 "$root/cli/src/dist/bin/gmptrace"
        who=again
        build_if_stale "$root/bench/target/run.stamp" build "$root/cli/target/dist.stamp"
        ls -d "$root/.build.lock" 2> /dev/null || echo unlocked
        """;
    Process process =
        new ProcessBuilder("/bin/sh", "-c", script, "sh", repository.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("built by bench\nbuilt by again\nunlocked\n", out);
    assertEquals(0, process.waitFor());
  }

  private Result findJdk(Map<String, String> environment) throws Exception {
    return run("find_jdk", environment);
  }

  private Result run(String call, Map<String, String> environment) throws Exception {
    Path script = ROOT.resolve("cli/src/dist/lib/find-jdk.sh");
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", ". '" + script + "'; " + call);
    Path err = temp.resolve("err.txt");
    builder.redirectError(err.toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("JAVA") || key.startsWith("SDK"));
    builder.environment().put("PATH", toolsWithoutJava().toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), out.strip(), Files.readString(err).strip());
  }

  /** A PATH with the few tools that the script calls and no java. */
  private Path toolsWithoutJava() throws IOException {
    Path tools = Files.createDirectories(temp.resolve("tools"));
    for (String tool : new String[] {"sed", "dirname", "basename", "readlink"}) {
      for (String dir : new String[] {"/usr/bin", "/bin"}) {
        Path target = Path.of(dir, tool);
        if (Files.exists(target) && !Files.exists(tools.resolve(tool))) {
          Files.createSymbolicLink(tools.resolve(tool), target);
        }
      }
    }
    return tools;
  }

  private Path fakeJdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(temp.resolve(name));
    Files.createDirectories(home.resolve("bin"));
    for (String tool : new String[] {"java", "javac"}) {
      Path file = Files.writeString(home.resolve("bin").resolve(tool), "#!/bin/sh\n");
      assertTrue(file.toFile().setExecutable(true));
    }
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private record Result(int exit, String out, String err) {}
}

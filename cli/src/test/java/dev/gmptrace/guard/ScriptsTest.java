package dev.gmptrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts find a JDK 25 where people keep theirs, and say what to install when there is none;
 * the one that tests everything says at its end why it fails.
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

package dev.gmptrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts find a JDK 25 where people keep theirs, and say what to install when there is none.
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

package dev.gmptrace.bench.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command that serves pages until it is stopped: when it was up, and how much memory it took. */
public final class Server implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("https?://[\\w.\\[\\]:-]+:\\d+");

  private final Process process;
  private final long begin;
  private final Thread guard;

  private Server(Process process, long begin) {
    this.process = process;
    this.begin = begin;
    guard = new Thread(this::destroy);
    Runtime.getRuntime().addShutdownHook(guard);
  }

  /** Starts the command; its standard error is taken for output. */
  public static Server start(List<String> command, Path directory, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    long begin = System.nanoTime();
    return new Server(builder.start(), begin);
  }

  /** Waits until it prints where it listens; null when it ends or the time is over before that. */
  public @Nullable String awaitUrl(int seconds) throws IOException {
    Thread limit =
        Thread.ofVirtual()
            .start(() -> {
              try {
                if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                  destroy();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher found = URL.matcher(line);
        if (found.find()) {
          return found.group();
        }
      }
      return null;
    } finally {
      limit.interrupt();
    }
  }

  /** Milliseconds since it was started. */
  public double millis() {
    return (System.nanoTime() - begin) / 1e6;
  }

  /** The most memory it has held so far, in bytes: the largest of the process and its children. */
  public long peakBytes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .mapToLong(p -> peakBytes(p.pid()))
        .max()
        .orElse(0);
  }

  private static long peakBytes(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (NoSuchFileException e) {
      return 0; // It has ended.
    } catch (IOException e) {
      return 0;
    }
    return 0;
  }

  /** Whether it is still there. */
  public boolean isAlive() {
    return process.isAlive();
  }

  private void destroy() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() {
    destroy();
    process.onExit().join();
    Runtime.getRuntime().removeShutdownHook(guard);
  }
}

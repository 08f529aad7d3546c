package dev.gmptrace.tracer.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Small traces of a simulated scheduler, for tests and as golden files. */
public final class SampleTrace {
  private SampleTrace() {}

  /** A few kilobytes: several batches, two generations, everything a trace is made of. */
  public static byte[] small() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ManualSubject subject =
        new ManualSubject(
            TraceOptions.DEFAULTS
                .withBufferBytes(4096)
                .withJvmEvents(false)
                .withStackDepth(4)
                .withGeneration(Duration.ofMinutes(1))
                .withProgram("sample", List.of("-x"), "", 1));
    Recording recording = subject.tracer.start(out);
    subject.enter();
    for (int generation = 0; generation < 2; generation++) {
      for (int i = 0; i < 150; i++) {
        try (Task task = subject.tracer.task("task " + i % 3)) {
          task.log("i", Integer.toString(i));
        }
      }
      subject.tracer.onWriter(subject.tracer::closeGeneration);
    }
    recording.stop();
    return out.toByteArray();
  }

  /** Writes a trace with everything in it: {@code SampleTrace file [millis]}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    long millis = args.length > 1 ? Long.parseLong(args[1]) : 200;
    TraceOptions options =
        TraceOptions.DEFAULTS
            .withJvmEvents(args.length > 2)
            .withStackDepth(8)
            .withGeneration(Duration.ofMillis(millis / 4));
    try (SimulatedScheduler scheduler = new SimulatedScheduler(options, 3, 5, 60, 42)) {
      scheduler.start();
      Recording recording = scheduler.tracer.start(Path.of(args[0]));
      Thread.sleep(millis);
      System.out.println(recording.stop());
    }
    System.out.println(TraceChecker.check(Files.readAllBytes(Path.of(args[0]))).counts);
  }
}

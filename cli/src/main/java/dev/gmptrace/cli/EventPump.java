package dev.gmptrace.cli;

import dev.gmptrace.analyzer.print.TextOut;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceFormatException;
import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.analyzer.read.TraceTables;
import dev.gmptrace.analyzer.read.TraceWarning;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Events from a file to the output, once or for as long as the file grows.
 *
 * <p>Following reads the file again whenever it has grown, and prints the generations that have
 * become complete since. Only a complete generation has one order, so the last one of a file that
 * is still growing waits; and reading again costs less than it sounds, since one pass runs at tens
 * of megabytes a second and never starts before twice the time of the last one has passed.
 */
final class EventPump {
  /** The time of the first event, from which all others are counted. */
  static final class Origin {
    private long time = -1;

    long time() {
      return time;
    }
  }

  /** Makes the printer of one reading. */
  @FunctionalInterface
  interface Printers {
    EventSink sink(TraceTables tables, TextOut out, Origin origin);
  }

  /** No later event is wanted: ends a reading from inside. */
  private static final class Past extends RuntimeException {
    Past() {
      super("past the window", null, false, false);
    }
  }

  private static final long SHORTEST_PAUSE_MS = 200;
  private static final int SHORTEST_HEADER = 64;

  private final Terminal terminal;
  private final Path trace;
  private final EventSelection selection;
  private final Printers printers;
  private final Origin origin = new Origin();
  private final ReentrantLock writing = new ReentrantLock();
  private long printed;
  private long last;

  EventPump(Terminal terminal, Path trace, EventSelection selection, Printers printers) {
    this.terminal = terminal;
    this.trace = trace;
    this.selection = selection;
    this.printers = printers;
  }

  /** Prints the file as it is now. */
  int print() {
    try (TraceReader reader = TraceReader.open(trace);
        TextOut out = new TextOut(terminal.out());
        var progress = new ProgressLine(terminal, "reading", trace.getFileName())) {
      EventSink sink = printers.sink(reader.tables(), out, origin);
      long size = reader.info().size();
      ReadResult result;
      try {
        result =
            reader.read(e -> {
              if ((e.number() & 0x3fff) == 0) {
                progress.update(reader.position(), size, e.number());
              }
              if (!event(e, sink)) {
                throw new Past();
              }
            });
      } catch (Past e) {
        return ExitCode.OK;
      }
      progress.clear();
      out.flush();
      selection.requireWithin(last);
      return report(reader, result);
    }
  }

  private int report(TraceReader reader, ReadResult result) {
    TraceWarning damage = result.damage();
    for (TraceWarning warning : result.warnings()) {
      if (!warning.equals(damage)) {
        terminal.complain("gmptrace events: warning", warning.toString());
      }
    }
    if (damage == null) {
      return ExitCode.OK;
    }
    result.orRefuse(reader.info());
    terminal.complain("gmptrace events", damage.toString());
    return ExitCode.PROBLEM;
  }

  /** Prints, and goes on printing, until the recording is complete or Ctrl-C. */
  int follow() throws InterruptedException {
    try (var _ = new CtrlC(this::finishLine)) {
      if (size() < 0) {
        terminal.complain("gmptrace events", "waiting for " + trace + ", which is not there yet");
      }
      return followToTheEnd();
    }
  }

  private int followToTheEnd() throws InterruptedException {
    long lastSize = -1;
    while (true) {
      long size = size();
      long before = System.nanoTime();
      if (size != lastSize) {
        lastSize = size;
        if (pass()) {
          return ExitCode.OK;
        }
      }
      long tookMillis = (System.nanoTime() - before) / 1_000_000;
      Thread.sleep(Math.max(SHORTEST_PAUSE_MS, 2 * tookMillis));
    }
  }

  /** Ctrl-C should not cut a line in two; unless nobody reads, then it must not wait either. */
  private int finishLine() {
    try {
      boolean _ = writing.tryLock(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK;
  }

  private long size() {
    try {
      return Files.size(trace);
    } catch (IOException e) {
      // Not there yet: the recording may be about to start.
      return -1;
    }
  }

  /** One reading; true when there is nothing to wait for. */
  private boolean pass() {
    if (printed == 0) {
      origin.time = -1; // it was that of a generation whose first events may not have been there
    }
    try (TraceReader reader = TraceReader.open(trace)) {
      var complete = new CompleteGenerations(reader.tables());
      ReadResult result = reader.read(complete);
      if (result.complete()) {
        complete.generationEnds();
      }
      return result.complete();
    } catch (Past e) {
      return true;
    } catch (TraceFormatException e) {
      if (size() > SHORTEST_HEADER) {
        throw e;
      }
      return false;
    }
  }

  /** Holds back the text of a generation until the next one shows that it is complete. */
  private final class CompleteGenerations implements EventSink {
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final TextOut text = new TextOut(held);
    private final EventSink sink;
    private int generation = -1;
    private long next;
    private boolean past;

    CompleteGenerations(TraceTables tables) {
      sink = printers.sink(tables, text, origin);
    }

    @Override
    public void event(TraceEvent e) {
      if (e.generation() != generation) {
        generationEnds();
        generation = e.generation();
      }
      next = e.number() + 1;
      if (e.number() >= printed) {
        past |= !EventPump.this.event(e, sink);
      }
    }

    void generationEnds() {
      text.flush();
      byte[] bytes = held.toByteArray();
      held.reset();
      writing.lock();
      try {
        terminal.out().write(bytes, 0, bytes.length);
      } finally {
        writing.unlock();
      }
      printed = Math.max(printed, next);
      if (past) {
        throw new Past();
      }
    }
  }

  /** Prints an event if it is wanted; false when no later one can be. */
  private boolean event(TraceEvent e, EventSink sink) {
    if (origin.time < 0) {
      origin.time = e.time();
    }
    long since = e.time() - origin.time;
    last = since;
    if (selection.wants(e, since)) {
      sink.event(e);
      return true;
    }
    return !selection.isPast(since);
  }
}

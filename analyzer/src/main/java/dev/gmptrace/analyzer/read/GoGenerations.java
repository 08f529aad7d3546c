package dev.gmptrace.analyzer.read;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a Go trace into generations.
 *
 * <p>Since Go 1.26 a generation says where it ends. Before that, it ends where a batch of the next
 * one begins, or the file does; damage after a generation's last batch then does not take that
 * generation away, since it may well be in the next.
 */
final class GoGenerations implements GenerationSource {
  /** As nanoseconds it still fits a long: some day in 2254. */
  private static final long MAX_SECONDS = 8_999_999_999L;

  private final TraceFile file;
  private final int version;
  private final TraceTables tables;
  private final GoBatches batches;
  private final LongConsumer consumed;

  /** The walk already stands at the first batch of the next generation. */
  private boolean spilled;

  GoGenerations(TraceFile file, int version, TraceTables tables, long from, LongConsumer consumed) {
    this.file = file;
    this.version = version;
    this.tables = tables;
    this.consumed = consumed;
    this.batches = new GoBatches(file, from);
  }

  @Override
  public Step next() {
    try {
      return version >= 26 ? nextWithEnd() : nextWithoutEnd();
    } catch (DamageException e) {
      return Step.broken(e);
    }
  }

  private Step nextWithEnd() throws DamageException {
    Gathering g = null;
    long start = batches.position();
    while (batches.next()) {
      if (batches.endOfGeneration) {
        if (g == null) {
          throw new DamageException(batches.start, "a generation without any batch");
        }
        return Step.of(g.finish());
      }
      checkNumber();
      if (g == null) {
        g = new Gathering(batches.generation, start);
      } else if (batches.generation != g.number) {
        throw new DamageException(
            batches.start,
            "a batch of generation " + batches.generation + " before the end of " + g.number);
      }
      g.add();
    }
    if (g != null) {
      throw new DamageException(
          file.size(),
          "the file ends before generation "
              + g.number
              + " does: it was cut off, or the program ended without stopping the trace");
    }
    return new Step(null, null, true, List.of());
  }

  private Step nextWithoutEnd() throws DamageException {
    Gathering g = null;
    DamageException damage = null;
    while (true) {
      if (!spilled) {
        try {
          if (!batches.next()) {
            break;
          }
        } catch (DamageException e) {
          if (g == null) {
            throw e;
          }
          damage =
              batches.generation == g.number
                  ? new DamageException(
                      e.offset(),
                      e.getMessage()
                          + "; so generation "
                          + g.number
                          + " is incomplete, and events of some threads are missing from it")
                  : e;
          break;
        }
      }
      spilled = false;
      if (batches.endOfGeneration) {
        throw new DamageException(
            batches.start, "an end of generation, which Go 1." + version + " does not write");
      }
      checkNumber();
      if (g == null) {
        g = new Gathering(batches.generation, batches.start);
      } else if (batches.generation == g.number + 1) {
        spilled = true;
        break;
      } else if (batches.generation != g.number) {
        throw new DamageException(
            batches.start,
            "a batch of generation " + batches.generation + " within generation " + g.number);
      }
      g.add();
    }
    if (g == null) {
      throw new DamageException(file.size(), "there is nothing after the header");
    }
    return new Step(g.finish(), damage == null ? null : damage.warning(), !spilled, List.of());
  }

  private void checkNumber() throws DamageException {
    if (batches.generation == 0) {
      throw new DamageException(batches.start, "a batch of generation 0, which does not exist");
    }
  }

  /** A generation whose batches are being found. */
  private final class Gathering {
    final long number;
    final long offset;
    final GoTables local = new GoTables(tables);
    final LongMap<GoRuns> byThread = new LongMap<>();
    final List<GoRuns> threads = new ArrayList<>();
    long minTicks;
    double nanosPerTick;
    boolean hasClock;
    long clockTicks;
    long clockMono;
    @Nullable Instant wall;

    Gathering(long number, long offset) {
      this.number = number;
      this.offset = offset;
    }

    void add() throws DamageException {
      if (minTicks == 0 || Long.compareUnsigned(batches.ticks, minTicks) < 0) {
        minTicks = batches.ticks;
      }
      if (batches.experiment != 0) {
        // Raw data for tools that know the experiment; the events stand in ordinary batches.
        consumed.accept(batches.size);
        return;
      }
      switch (batches.firstByte) {
        case GoEvents.STRINGS -> local.addStrings(structural());
        case GoEvents.STACKS -> local.addStacks(structural());
        case GoEvents.CPU_SAMPLES -> local.addCpuSamples(structural());
        case GoEvents.FREQUENCY, GoEvents.SYNC -> {
          if ((batches.firstByte == GoEvents.SYNC) == version >= 25) {
            addSync(structural());
          } else {
            addEvents();
          }
        }
        default -> addEvents();
      }
    }

    private ByteCursor structural() throws DamageException {
      consumed.accept(batches.size);
      return batches.data();
    }

    private void addEvents() {
      GoRuns runs = byThread.get(batches.thread);
      if (runs == null) {
        runs = new GoRuns(file, batches.thread, consumed);
        byThread.put(batches.thread, runs);
        threads.add(runs);
      }
      runs.add(batches);
    }

    private void addSync(ByteCursor b) throws DamageException {
      if (version >= 25) {
        b.skip(1);
      }
      while (b.hasMore()) {
        int type = b.u8();
        if (type == GoEvents.FREQUENCY) {
          if (nanosPerTick != 0) {
            throw b.damage("generation " + number + " has two clock frequencies");
          }
          long perSecond = b.uvarint();
          if (perSecond <= 0) {
            throw b.damage("a clock of " + Long.toUnsignedString(perSecond) + " ticks a second");
          }
          nanosPerTick = 1.0 / (perSecond / 1e9);
        } else if (type == GoEvents.CLOCK_SNAPSHOT && version >= 25) {
          if (hasClock) {
            throw b.damage("generation " + number + " has two clock snapshots");
          }
          hasClock = true;
          clockTicks = batches.ticks + b.uvarint();
          clockMono = b.uvarint();
          long seconds = b.uvarint();
          long nanos = b.uvarint();
          if (seconds < 0 || seconds > MAX_SECONDS || nanos < 0 || nanos > MAX_SECONDS) {
            throw b.damage("a clock snapshot of " + seconds + " s, which no calendar knows");
          }
          wall = Instant.ofEpochSecond(seconds, nanos);
        } else {
          throw b.damage("expected a frequency or a clock snapshot, found event type " + type);
        }
      }
    }

    Generation finish() throws DamageException {
      if (nanosPerTick == 0) {
        throw new DamageException(offset, "generation " + number + " does not tell its clock");
      }
      if (version >= 25 && !hasClock) {
        throw new DamageException(offset, "generation " + number + " has no clock snapshot");
      }
      local.finish(nanosPerTick);
      ClockSnapshot clock =
          wall == null
              ? null
              : new ClockSnapshot(EventStream.nanos(clockTicks, nanosPerTick), clockMono, wall);
      Generation generation =
          new Generation(
              number,
              local.strings,
              local.stacks,
              local.samples,
              EventStream.nanos(minTicks, nanosPerTick),
              clock,
              offset);
      for (GoRuns runs : threads) {
        runs.clock(nanosPerTick);
      }
      generation.streams.addAll(threads);
      return generation;
    }
  }
}

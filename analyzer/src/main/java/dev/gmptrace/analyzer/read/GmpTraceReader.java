package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketReader;
import dev.gmptrace.tracer.wire.TracePacket;
import dev.gmptrace.tracer.wire.proto.Header;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Reads gmptrace's own traces. */
final class GmpTraceReader extends GenerationReader {
  private final PacketReader packets;
  private final long ticksPerSecond;

  private GmpTraceReader(TraceInfo info, PacketReader packets, long ticksPerSecond) {
    super(info);
    this.packets = packets;
    this.ticksPerSecond = ticksPerSecond;
  }

  static GmpTraceReader open(Path path, long size) {
    PacketReader packets;
    try {
      packets = PacketReader.open(path);
    } catch (dev.gmptrace.tracer.wire.TraceFormatException e) {
      throw new TraceFormatException(path + " cannot be read: it is " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw new TraceFormatException(path + " cannot be read: " + e.getMessage(), e);
    }
    Header header = Header.getDefaultInstance();
    TracePacket first = packets.next();
    if (first instanceof TracePacket.Head head) {
      header = head.header();
    } else {
      packets.close();
      throw new TraceFormatException(
          path
              + (first == null
                  ? " ends after its first bytes: nothing was recorded, or not yet flushed"
                  : " is damaged: its first packet, which describes the trace, cannot be read"));
    }
    TraceInfo info =
        new TraceInfo(
            path,
            TraceInfo.Format.GMP,
            "gmp " + FileFormat.MAJOR + "." + FileFormat.MINOR,
            size,
            header.getProgram(),
            properties(header));
    long ticks = header.getTicksPerSecond();
    return new GmpTraceReader(info, packets, ticks > 0 ? ticks : FileFormat.TICKS_PER_SECOND);
  }

  private static Map<String, String> properties(Header h) {
    Map<String, String> map = new LinkedHashMap<>();
    put(map, "arguments", String.join(" ", h.getArgumentsList()));
    put(map, "pid", h.getPid() == 0 ? "" : Long.toUnsignedString(h.getPid()));
    put(map, "jvm", h.getJvm());
    put(map, "os", h.getOs());
    put(map, "cores", h.getCores() == 0 ? "" : Integer.toUnsignedString(h.getCores()));
    put(map, "maxprocs", h.getMaxProcs() == 0 ? "" : Integer.toUnsignedString(h.getMaxProcs()));
    put(map, "gmpdebug", h.getGmpDebug());
    put(map, "cpuhz", h.getCpuHz() == 0 ? "" : Integer.toUnsignedString(h.getCpuHz()));
    put(map, "recorder", h.getRecorder());
    put(map, "flight", h.getFlight() ? "true" : "");
    return map;
  }

  private static void put(Map<String, String> map, String key, String value) {
    if (!value.isEmpty()) {
      map.put(key, value);
    }
  }

  @Override
  GenerationSource source() {
    return new GmpGenerations(packets, tables(), ticksPerSecond, consumed::add);
  }

  @Override
  Ordering ordering(UnaryOperator<EventBlock> exchange) {
    return new Ordering(tables(), true, exchange);
  }

  @Override
  public void close() {
    packets.close();
  }
}

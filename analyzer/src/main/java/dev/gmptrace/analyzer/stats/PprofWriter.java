package dev.gmptrace.analyzer.stats;

import com.google.protobuf.CodedOutputStream;
import dev.gmptrace.analyzer.model.Frame;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.TraceTables;
import dev.gmptrace.analyzer.stats.Profile.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a profile in pprof's format, field by field. The format is a protobuf message of seven
 * tables; a generated class for it would be a dependency of every user for one page of code.
 */
final class PprofWriter {
  // profile.proto
  private static final int PROFILE_SAMPLE_TYPE = 1;
  private static final int PROFILE_SAMPLE = 2;
  private static final int PROFILE_MAPPING = 3;
  private static final int PROFILE_LOCATION = 4;
  private static final int PROFILE_FUNCTION = 5;
  private static final int PROFILE_STRING = 6;
  private static final int PROFILE_TIME_NANOS = 9;
  private static final int PROFILE_DURATION_NANOS = 10;
  private static final int PROFILE_PERIOD_TYPE = 11;
  private static final int PROFILE_PERIOD = 12;
  private static final int MAPPING_ID = 1;
  private static final int MAPPING_HAS_FUNCTIONS = 7;

  private final TraceModel model;
  private final Profile profile;
  private final long wallNs;
  private final long durationNs;
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final Map<Integer, Integer> locations = new LinkedHashMap<>();
  private final Map<String, Integer> functions = new LinkedHashMap<>();
  private final Map<String, Frame> functionFrames = new LinkedHashMap<>();

  private interface Body {
    void write(CodedOutputStream out) throws IOException;
  }

  PprofWriter(TraceModel model, Profile profile, long wallNs, long durationNs) {
    this.model = model;
    this.profile = profile;
    this.wallNs = wallNs;
    this.durationNs = durationNs;
    string("");
  }

  void write(OutputStream out) throws IOException {
    GZIPOutputStream zip = new GZIPOutputStream(out);
    CodedOutputStream pb = CodedOutputStream.newInstance(zip);
    boolean cpu = profile.type() == ProfileType.CPU;
    type(pb, PROFILE_SAMPLE_TYPE, cpu ? "samples" : "contentions", "count");
    type(pb, PROFILE_SAMPLE_TYPE, cpu ? "cpu" : "delay", "nanoseconds");
    for (Sample s : profile.samples()) {
      message(pb, PROFILE_SAMPLE, o -> sample(o, s));
    }
    message(
        pb,
        PROFILE_MAPPING,
        o -> {
          o.writeUInt64(MAPPING_ID, 1);
          o.writeBool(MAPPING_HAS_FUNCTIONS, true);
        });
    for (Map.Entry<Integer, Integer> l : locations.entrySet()) {
      message(pb, PROFILE_LOCATION, o -> location(o, l.getKey(), l.getValue()));
    }
    for (Map.Entry<String, Integer> f : functions.entrySet()) {
      message(pb, PROFILE_FUNCTION, o -> function(o, f.getKey(), f.getValue()));
    }
    pb.writeInt64(PROFILE_TIME_NANOS, wallNs);
    pb.writeInt64(PROFILE_DURATION_NANOS, durationNs);
    type(pb, PROFILE_PERIOD_TYPE, cpu ? "cpu" : "trace", cpu ? "nanoseconds" : "count");
    pb.writeInt64(PROFILE_PERIOD, cpu ? profile.cpuPeriodNs() : 1);
    for (String s : strings.keySet()) {
      pb.writeString(PROFILE_STRING, s);
    }
    pb.flush();
    zip.finish();
    out.flush();
  }

  private int string(String s) {
    return strings.computeIfAbsent(s, k -> strings.size());
  }

  private void type(CodedOutputStream pb, int field, String type, String unit) throws IOException {
    int t = string(type);
    int u = string(unit);
    message(
        pb,
        field,
        o -> {
          o.writeInt64(1, t);
          o.writeInt64(2, u);
        });
  }

  private void sample(CodedOutputStream o, Sample s) throws IOException {
    TraceTables tables = model.tables();
    for (int k = 0; k < tables.depth(s.stack()); k++) {
      int frame = tables.frameId(s.stack(), k);
      o.writeUInt64(1, locations.computeIfAbsent(frame, f -> locations.size() + 1));
    }
    o.writeInt64(2, s.count());
    o.writeInt64(2, s.nanos());
  }

  private void location(CodedOutputStream o, int frameId, int id) throws IOException {
    Frame f = model.frame(frameId);
    String key = f.function() + "\0" + f.file();
    functionFrames.putIfAbsent(key, f);
    int function = functions.computeIfAbsent(key, k -> functions.size() + 1);
    o.writeUInt64(1, id);
    o.writeUInt64(2, 1);
    o.writeUInt64(3, f.pc());
    message(
        o,
        4,
        line -> {
          line.writeUInt64(1, function);
          line.writeInt64(2, f.line());
        });
  }

  private void function(CodedOutputStream o, String key, int id) throws IOException {
    Frame f = functionFrames.getOrDefault(key, new Frame(0, "", "", 0));
    o.writeUInt64(1, id);
    o.writeInt64(2, string(f.function()));
    o.writeInt64(3, string(f.function()));
    o.writeInt64(4, string(f.file()));
  }

  private static void message(CodedOutputStream out, int field, Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream inner = CodedOutputStream.newInstance(bytes);
    body.write(inner);
    inner.flush();
    out.writeByteArray(field, bytes.toByteArray());
  }
}

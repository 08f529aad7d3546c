package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.CodedInputStream;
import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileTest {
  static List<String> totals() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/go-profiles/totals.txt")).stream()
        .filter(l -> !l.startsWith("#"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("totals")
  void totalsEqualGos(String line) {
    String[] w = line.split(" ", -1);
    Profile p = Profile.of(GoldenTraces.open(w[0]), ProfileType.of(w[1]));
    assertEquals(Long.parseLong(w[2]), p.count(), "count");
    assertEquals(Long.parseLong(w[3]), p.total(), "nanoseconds");
  }

  @Test
  void topFlameAndFoldedAgreeOnTheTotal() {
    Profile p = Profile.of(GoldenTraces.open("web-go1.27"), ProfileType.SYNC);
    assertEquals(p.total(), p.root().total());
    assertEquals(p.total(), p.top(Integer.MAX_VALUE).stream().mapToLong(Profile.Row::flat).sum());
    StringBuilder folded = new StringBuilder();
    p.writeFolded(folded);
    long sum =
        folded
            .toString()
            .lines()
            .mapToLong(l -> Long.parseLong(l.substring(l.lastIndexOf(' ') + 1)))
            .sum();
    assertEquals(p.total(), sum);
    assertTrue(p.text(5).startsWith("synchronisation: channels, locks, select: 969ms in 787"));
  }

  @Test
  void aWindowCountsOnlyWhatIsInside() {
    Trace t = GoldenTraces.open("web-go1.27");
    long half = t.info().durationNs() / 2;
    long left = Profile.of(t, ProfileType.SYNC, 0, half).total();
    long right = Profile.of(t, ProfileType.SYNC, half, Long.MAX_VALUE).total();
    assertEquals(Profile.of(t, ProfileType.SYNC).total(), left + right);
  }

  @Test
  void pprofHoldsEverySampleAndEveryIdItNames() throws IOException {
    Profile p = Profile.of(GoldenTraces.open("web-go1.27"), ProfileType.NET);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    p.writePprof(bytes);
    byte[] raw = new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray())).readAllBytes();
    CodedInputStream in = CodedInputStream.newInstance(raw);
    int samples = 0;
    int locations = 0;
    long nanos = 0;
    List<String> strings = new ArrayList<>();
    List<Long> used = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 2 -> {
          samples++;
          CodedInputStream s = CodedInputStream.newInstance(in.readByteArray());
          long last = 0;
          for (int t = s.readTag(); t != 0; t = s.readTag()) {
            if (t >>> 3 == 1) {
              used.add(s.readUInt64());
            } else {
              last = s.readInt64();
            }
          }
          nanos += last;
        }
        case 4 -> {
          locations++;
          in.skipField(tag);
        }
        case 6 -> strings.add(in.readString());
        default -> in.skipField(tag);
      }
    }
    assertEquals(p.samples().size(), samples);
    assertEquals(p.total(), nanos);
    assertEquals("", strings.get(0));
    assertTrue(strings.contains("contentions") && strings.contains("nanoseconds"));
    int most = locations;
    assertTrue(used.stream().allMatch(id -> id >= 1 && id <= most));
  }

  @Test
  void anUnknownTypeNamesWhatThereIs() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ProfileType.of("heap")).getMessage();
    assertEquals(
        "\"heap\" is no profile; there are sched, start, sync, net, syscall and cpu", message);
  }
}

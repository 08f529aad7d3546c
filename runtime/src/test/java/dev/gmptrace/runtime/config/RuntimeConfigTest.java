package dev.gmptrace.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.record.StackOn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeConfigTest {
  @Test
  void nothingSetIsTheDefault() {
    RuntimeConfig c = RuntimeConfig.defaults();
    assertEquals(Runtime.getRuntime().availableProcessors(), c.maxProcs());
    assertEquals(0, c.schedTraceMillis());
    assertNull(c.traceFile());
    assertNull(c.seed());
    assertEquals(10_000, c.maxThreads());
    assertFalse(c.check());
    assertEquals(List.of(), c.warnings());
  }

  @Test
  void everyKeyIsRead() {
    RuntimeConfig c =
        RuntimeConfig.of(
            "schedtrace=1000,scheddetail=1,trace=dir/t.bin,traceflight=16M,tracestack=8,"
                + "tracestackon=block+create,tracecpu=250,tracegc=jfr,"
                + "tracebuf=64K,tracepool=33554432,check=1,asyncpreemptoff=1,gctrace=1,"
                + "maxthreads=50,seed=-7");
    assertEquals(1000, c.schedTraceMillis());
    assertTrue(c.schedDetail());
    assertEquals(Path.of("dir/t.bin"), c.traceFile());
    assertEquals(16 << 20, c.traceFlightBytes());
    assertEquals(8, c.traceStackDepth());
    assertEquals(Set.of(StackOn.BLOCK, StackOn.CREATE), c.traceStackOn());
    assertEquals(250, c.traceCpuHz());
    assertEquals(TraceGc.JFR, c.traceGc());
    assertEquals(64 << 10, c.traceBufferBytes());
    assertEquals(32 << 20, c.tracePoolBytes());
    assertTrue(c.check());
    assertTrue(c.asyncPreemptOff());
    assertTrue(c.gcTrace());
    assertEquals(50, c.maxThreads());
    assertEquals(-7, c.seed());
    assertEquals(List.of(), c.warnings());
  }

  @Test
  void spacesAndEmptyItemsAreFineAndTheLastOneHolds() {
    RuntimeConfig c = RuntimeConfig.of(" schedtrace=10 ,, check = 1,schedtrace=20,");
    assertEquals(20, c.schedTraceMillis());
    assertTrue(c.check());
  }

  @Test
  void goVariablesStandInForOurs() {
    RuntimeConfig c =
        RuntimeConfig.parse(
            Map.of("GODEBUG", "madvdontneed=1,schedtrace=5,gctrace=2", "GOMAXPROCS", "3"));
    assertEquals(5, c.schedTraceMillis());
    assertTrue(c.gcTrace());
    assertEquals(3, c.maxProcs());
    assertEquals(List.of(), c.warnings());
  }

  @Test
  void oursHideGos() {
    RuntimeConfig c =
        RuntimeConfig.parse(
            Map.of(
                "GMPDEBUG", "check=1",
                "GODEBUG", "schedtrace=5",
                "GMPMAXPROCS", "7",
                "GOMAXPROCS", "3"));
    assertEquals(0, c.schedTraceMillis());
    assertEquals(7, c.maxProcs());
  }

  @Test
  void emptyVariableCountsAsUnset() {
    RuntimeConfig c =
        RuntimeConfig.parse(
            Map.of(
                "GMPDEBUG", "", "GODEBUG", "schedtrace=5", "GMPMAXPROCS", "", "GOMAXPROCS", "3"));
    assertEquals(5, c.schedTraceMillis());
    assertEquals(3, c.maxProcs());
  }

  @ParameterizedTest
  @CsvSource({
    "schedtrase, schedtrace",
    "shcedtrace, schedtrace",
    "sheddetail, scheddetail",
    "tracestacks, tracestack",
    "maxthread, maxthreads",
    "sede, seed",
    "chek, check"
  })
  void unknownKeyWarnsWithTheNearest(String key, String near) {
    RuntimeConfig c = RuntimeConfig.of(key + "=1");
    assertEquals(
        List.of("GMPDEBUG: unknown key '" + key + "'; did you mean '" + near + "'?"), c.warnings());
  }

  @Test
  void theSameUnknownKeyWarnsOnce() {
    assertEquals(
        List.of(
            "GMPDEBUG: unknown key 'SchedTrace'; did you mean 'schedtrace'?",
            "GMPDEBUG: unknown key 'trase'; did you mean 'trace'?"),
        RuntimeConfig.of("SchedTrace=1,trase=a,SchedTrace=2").warnings());
  }

  /** The table of the documentation, its first column. */
  @Test
  void theDocumentationListsExactlyTheKeys() throws IOException {
    List<String> documented =
        Files.readAllLines(Path.of("../docs/GMPDEBUG.md")).stream()
            .dropWhile(l -> !l.startsWith("| key |"))
            .skip(2)
            .takeWhile(l -> l.startsWith("| `"))
            .map(l -> l.replaceFirst("\\| `([^`]*)`.*", "$1"))
            .toList();
    assertEquals(DebugKey.keys(), documented);
  }

  @Test
  void unknownKeyFarFromAllListsThem() {
    String warning = RuntimeConfig.of("colour=blue").warnings().getFirst();
    assertTrue(
        warning.startsWith("GMPDEBUG: unknown key 'colour'; known are schedtrace, "), warning);
  }

  @ParameterizedTest
  @ValueSource(strings = {"containermaxprocs=0", "dontfreezetheworld=1", "tracebackancestors=5"})
  void keysOfGosSchedulerAreSilent(String item) {
    assertEquals(List.of(), RuntimeConfig.of(item).warnings());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedtrace=soon | GMPDEBUG: schedtrace=soon: expected a number of milliseconds",
        "schedtrace=-1 | GMPDEBUG: schedtrace=-1: expected a number of milliseconds",
        "schedtrace=99999999999 | GMPDEBUG: schedtrace=99999999999: expected a number of milliseconds",
        "schedtrace= | GMPDEBUG: schedtrace=: expected a number of milliseconds",
        "check=yes | GMPDEBUG: check=yes: expected 0 or 1",
        "check | GMPDEBUG: 'check' has no value; expected check=0 or 1",
        "trace= | GMPDEBUG: trace=: expected the name of a file",
        "traceflight=1K | GMPDEBUG: traceflight=1K: expected a size of at least 64K",
        "traceflight=1T | GMPDEBUG: traceflight=1T: expected a size of at least 64K",
        "tracebuf=16M | GMPDEBUG: tracebuf=16M: expected a size from 4K to 4M",
        "tracepool=999999999999999G | GMPDEBUG: tracepool=999999999999999G: expected a size of at least 64K",
        "tracestackon=block+wait | GMPDEBUG: tracestackon=block+wait: expected some of create,"
            + " block, unblock, stop, syscall, user, joined by +",
        "tracegc=yes | GMPDEBUG: tracegc=yes: expected 0, 1 or jfr",
        "tracecpu=1001 | GMPDEBUG: tracecpu=1001: expected a number of samples a second from 0 to 1000",
        "tracestack=129 | GMPDEBUG: tracestack=129: expected a number of frames from 0 to 128",
        "maxthreads=0 | GMPDEBUG: maxthreads=0: expected a number of threads from 1 to 1000000",
        "seed=dice | GMPDEBUG: seed=dice: expected an integer",
      })
  void badValueNamesKeyAndValue(String text, String message) {
    var e = assertThrows(ConfigException.class, () -> RuntimeConfig.of(text));
    assertEquals(message, e.getMessage());
  }

  @Test
  void badValueNamesGosVariableWhenThatIsRead() {
    var e =
        assertThrows(
            ConfigException.class, () -> RuntimeConfig.parse(Map.of("GODEBUG", "schedtrace=x")));
    assertEquals("GODEBUG: schedtrace=x: expected a number of milliseconds", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "two", "1025", "99999999999", "1.5"})
  void badMaxProcsIsNamed(String value) {
    var e =
        assertThrows(
            ConfigException.class, () -> RuntimeConfig.parse(Map.of("GMPMAXPROCS", value)));
    assertEquals(
        "GMPMAXPROCS=" + value + ": expected a number of Ps from 1 to 1024", e.getMessage());
  }

  @Test
  void seedMayBeHexadecimal() {
    assertEquals(0xcafeL, RuntimeConfig.of("seed=0xcafe").seed());
  }
}

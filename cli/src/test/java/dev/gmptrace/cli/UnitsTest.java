package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "5ns, 5",
    "200us, 200000",
    "200µs, 200000",
    "10ms, 10000000",
    "1.5s, 1500000000",
    ".5s, 500000000",
    "1m30s, 90000000000",
    "1h, 3600000000000"
  })
  void readsDurationsAsGoWritesThem(String text, long nanos) {
    assertEquals(nanos, Units.parseDuration("--from", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-1s", "ms", "1s5", "1 s", "1d", "99999999999h", "1e3s"})
  void refusesWhatIsNoDuration(String text) {
    var e = assertThrows(CliException.class, () -> Units.parseDuration("--from", text));
    assertEquals(ExitCode.USAGE, e.exitCode());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0ns",
    "999, 999ns",
    "1000, 1.00µs",
    "12345, 12.3µs",
    "999400, 999µs",
    "999600, 1.00ms",
    "1250000, 1.25ms",
    "3200000000, 3.20s",
    "150000000000, 2m30s",
    "3723000000000, 1h02m03s"
  })
  void printsDurationsWithThreeDigits(long nanos, String text) {
    assertEquals(text, Units.duration(nanos));
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.00 KiB", "1572864, 1.50 MiB"})
  void printsBytes(long bytes, String text) {
    assertEquals(text, Units.bytes(bytes));
  }
}

package dev.gmptrace.viewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @ParameterizedTest
  @CsvSource({
    ":6060, localhost, 6060, true",
    "6060, localhost, 6060, true",
    "localhost:0, localhost, 0, true",
    "127.0.0.1:80, 127.0.0.1, 80, true",
    "0.0.0.0:6060, 0.0.0.0, 6060, false",
    "192.168.1.5:6060, 192.168.1.5, 6060, false",
    "[::1]:6060, ::1, 6060, true"
  })
  void onlyAnExplicitAddressLeavesTheMachine(String text, String host, int port, boolean loopback) {
    ListenAddress address = ListenAddress.parse(text);
    assertEquals(new ListenAddress(host, port), address);
    assertEquals(loopback, address.isLoopback());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "localhost", "localhost:http", ":70000", ":-1", "::1:80"})
  void refusesWhatIsNoAddressWithASentence(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text));
    assertTrue(String.valueOf(refused.getMessage()).length() > 10);
  }

  @Test
  void writesIpv6InBracketsInAUrl() {
    assertEquals("[::1]", new ListenAddress("::1", 1).hostInUrl());
    assertEquals("localhost", new ListenAddress("0.0.0.0", 1).hostInUrl());
  }
}

package dev.gmptrace.viewer;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The front end's logic: windows, tiles, rasters, addresses, numbers for people. */
class FrontEndLogicTest {
  @TestFactory
  List<DynamicTest> logic() throws Exception {
    return NodeTests.run("logic", Map.of());
  }
}

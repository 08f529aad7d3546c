package dev.gmptrace.analyzer.stats;

/** Which ranges are the garbage collector's, by the names Go and the JVM give them. */
final class GcNames {
  private GcNames() {}

  /** A whole collection. */
  static boolean isCycle(String name) {
    return name.contains("GC") && !isStop(name) && !isAssist(name) && !isSweep(name);
  }

  /** A stopped world, whoever stopped it. */
  static boolean isStop(String name) {
    return name.startsWith("stop-the-world");
  }

  /** A stopped world that the collector asked for. */
  static boolean isGcStop(String name) {
    return isStop(name) && name.contains("GC");
  }

  static boolean isAssist(String name) {
    return name.contains("mark assist");
  }

  static boolean isSweep(String name) {
    return name.contains("sweep");
  }
}

package dev.gmptrace.bench.workload;

import org.jspecify.annotations.Nullable;

/** Who is measured, in the order of the columns. */
public enum PeerId {
  /** This project. */
  GMP("gmp", "gmptrace"),
  /** Virtual threads as they come. */
  JDK("jdk", "JDK scheduler, java.util.concurrent"),
  /** Channels only: everything else in it is the JDK's. */
  JOX("jox", "jox channels on the JDK scheduler"),
  /** No sockets of its own. */
  KOTLIN("kotlin", "kotlinx.coroutines"),
  /** The original. */
  GO("go", "Go");

  private final String id;
  private final String title;

  PeerId(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** Its name on the command line and in reports. */
  public String id() {
    return id;
  }

  /** Its name in prose. */
  public String title() {
    return title;
  }

  /** Whether it has an idiom for that work. */
  public boolean has(Workload workload) {
    return switch (this) {
      case GMP, JDK -> true;
      case GO -> workload != Workload.WEB; // Javalin is what is measured
      case KOTLIN -> workload != Workload.NETECHO && workload != Workload.WEB;
      case JOX ->
          switch (workload) {
            case PINGPONG, BUFFERED, SKYNET, SIEVE, SELECT -> true;
            default -> false;
          };
    };
  }

  /** The one of that name, or null. */
  public static @Nullable PeerId of(String id) {
    for (PeerId p : values()) {
      if (p.id.equals(id)) {
        return p;
      }
    }
    return null;
  }
}

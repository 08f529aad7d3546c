package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.model.SpanState;

/**
 * What a profile adds up. The selection is Go's ({@code go tool trace -pprof=TYPE}), so that totals
 * over Go traces are the same; wait reasons that only Java has are added where they belong.
 */
public enum ProfileType {
  /** Time runnable, by the stack of whoever made the goroutine so. */
  SCHED("sched", "scheduler wait: runnable until running"),
  /** Time from creation to the first run, by the stack of the creator; not in Go's tool. */
  START("start", "start wait: created until it first ran"),
  /** Time waiting for other goroutines: reasons with chan, sync or select. */
  SYNC("sync", "synchronisation: channels, locks, select"),
  /** Time waiting for the network. */
  NET("net", "network wait"),
  /** Time in system calls. */
  SYSCALL("syscall", "system calls"),
  /** CPU samples, if the trace has any; in a Go trace each stands for ten milliseconds. */
  CPU("cpu", "CPU samples");

  private final String id;
  private final String title;

  ProfileType(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** As typed on the command line. */
  public String id() {
    return id;
  }

  /** For people. */
  public String title() {
    return title;
  }

  /**
   * The type with this id.
   *
   * @throws IllegalArgumentException naming the text and what there is
   */
  public static ProfileType of(String id) {
    for (ProfileType t : values()) {
      if (t.id.equals(id)) {
        return t;
      }
    }
    throw new IllegalArgumentException(
        "\"" + id + "\" is no profile; there are sched, start, sync, net, syscall and cpu");
  }

  boolean selects(SpanState state, String reason) {
    return switch (this) {
      case SCHED, START -> state.runnable();
      case SYSCALL -> state.syscall();
      case NET -> state.waiting() && SpanState.ofWaitReason(reason) == SpanState.WAIT_NET;
      case SYNC ->
          state.waiting()
              && (reason.contains("chan")
                  || reason.contains("sync")
                  || reason.contains("select")
                  || (reason.startsWith("java ")
                      && SpanState.ofWaitReason(reason) == SpanState.WAIT_SYNC));
      case CPU -> false;
    };
  }
}

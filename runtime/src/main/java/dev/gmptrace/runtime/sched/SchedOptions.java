package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.config.RuntimeConfig;

/**
 * How a scheduler is made: a name for its threads and a configuration.
 *
 * @param name first part of its threads' names
 * @param config what GMPDEBUG and GMPMAXPROCS say, or would
 */
public record SchedOptions(String name, RuntimeConfig config) {
  /** As if nothing were set in the environment: as many Ps as the machine has CPUs. */
  public static SchedOptions defaults() {
    return new SchedOptions("gmp", RuntimeConfig.defaults());
  }

  /** As the environment says. */
  public static SchedOptions fromEnvironment() {
    return new SchedOptions("gmp", RuntimeConfig.fromEnvironment());
  }

  /** The same with another number of Ps. */
  public SchedOptions withProcs(int n) {
    return new SchedOptions(name, config.withMaxProcs(n));
  }

  /** The same with another GMPDEBUG and as many Ps. */
  public SchedOptions withDebug(String gmpDebug) {
    return new SchedOptions(name, RuntimeConfig.of(gmpDebug).withMaxProcs(config.maxProcs()));
  }

  /** The same with the invariants checked at every transition, or not. */
  public SchedOptions withCheck(boolean on) {
    return withDebug(on ? "check=1" : "check=0");
  }

  /** The same with a name. */
  public SchedOptions withName(String s) {
    return new SchedOptions(s, config);
  }
}

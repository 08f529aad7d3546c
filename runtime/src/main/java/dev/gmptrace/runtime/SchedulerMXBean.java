package dev.gmptrace.runtime;

import java.util.Map;

/**
 * A scheduler in JMX: {@code dev.gmptrace:type=Scheduler,name=…}, from {@link Go#registerInJmx}
 * until it is shut down. The second of a name is called name-2.
 */
public interface SchedulerMXBean {
  /** GOMAXPROCS. */
  int getGomaxprocs();

  /** Changes GOMAXPROCS, at run time. */
  void setGomaxprocs(int n);

  /** Goroutines alive. */
  int getNumGoroutine();

  /** CPUs of the machine. */
  int getNumCpu();

  /** Ms alive. */
  int getThreads();

  /** All scalar metrics under Go's names. */
  Map<String, Long> getMetrics();

  /** /sched/latencies:seconds; entry i counts waits from bound i to bound i + 1. */
  long[] getSchedulingLatencies();

  /** The bounds of these counts, in seconds; one more than there are counts. */
  double[] getSchedulingLatencyBounds();

  /** Every goroutine with state, wait reason and stack. */
  String dumpGoroutines();
}

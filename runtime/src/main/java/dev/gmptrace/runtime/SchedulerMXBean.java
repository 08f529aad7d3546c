package dev.gmptrace.runtime;

import java.util.Map;

/** A scheduler in JMX: {@code dev.gmptrace:type=Scheduler,name=…}. */
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

  /** /sched/latencies:seconds; entry i counts waits from 2^i to 2^(i+1) ns. */
  long[] getSchedulingLatencies();

  /** Every goroutine with state, wait reason and stack. */
  String dumpGoroutines();
}

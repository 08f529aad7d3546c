package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Sched;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Puts a scheduler into the platform's JMX server. */
final class SchedulerBean implements SchedulerMXBean {
  private final Sched sched;

  private SchedulerBean(Sched sched) {
    this.sched = sched;
  }

  static void register(Sched s) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name =
          new ObjectName("dev.gmptrace:type=Scheduler,name=" + ObjectName.quote(s.name()));
      if (!server.isRegistered(name)) {
        server.registerMBean(new SchedulerBean(s), name);
      }
    } catch (JMException e) {
      throw new IllegalStateException("cannot register the scheduler " + s.name() + " in JMX", e);
    }
  }

  @Override
  public int getGomaxprocs() {
    return sched.gomaxprocs();
  }

  @Override
  public void setGomaxprocs(int n) {
    int _ = sched.gomaxprocs(n);
  }

  @Override
  public int getNumGoroutine() {
    return sched.numGoroutine();
  }

  @Override
  public int getNumCpu() {
    return Go.numCPU();
  }

  @Override
  public int getThreads() {
    return sched.threadCount();
  }

  @Override
  public Map<String, Long> getMetrics() {
    return Metrics.read(sched).byName();
  }

  @Override
  public long[] getSchedulingLatencies() {
    return sched.latency().counts();
  }

  @Override
  public String dumpGoroutines() {
    return sched.dump();
  }
}

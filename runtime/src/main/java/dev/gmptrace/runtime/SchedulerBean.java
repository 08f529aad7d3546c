package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Sched;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Puts a scheduler into the platform's JMX server, until it is shut down. When several have one
 * name, as all do that are not given one, the later are called name-2, name-3, ….
 */
final class SchedulerBean implements SchedulerMXBean {
  private static final Map<Sched, ObjectName> NAMES = new HashMap<>();

  private final Sched sched;

  private SchedulerBean(Sched sched) {
    this.sched = sched;
  }

  static synchronized void register(Sched s) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    if (NAMES.containsKey(s)) {
      return;
    }
    try {
      ObjectName name = name(s.name());
      for (int n = 2; server.isRegistered(name); n++) {
        name = name(s.name() + "-" + n);
      }
      server.registerMBean(new SchedulerBean(s), name);
      NAMES.put(s, name);
    } catch (JMException e) {
      throw new IllegalStateException("cannot register the scheduler " + s.name() + " in JMX", e);
    }
    s.atShutdown(() -> unregister(server, s));
  }

  private static ObjectName name(String scheduler) throws JMException {
    return new ObjectName("dev.gmptrace:type=Scheduler,name=" + ObjectName.quote(scheduler));
  }

  private static synchronized void unregister(MBeanServer server, Sched s) {
    ObjectName name = NAMES.remove(s);
    try {
      if (name != null) {
        server.unregisterMBean(name);
      }
    } catch (JMException e) {
      // The program has done it itself.
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
  public double[] getSchedulingLatencyBounds() {
    return Metrics.Histogram.LATENCY_BOUNDS.stream().mapToDouble(Double::doubleValue).toArray();
  }

  @Override
  public String dumpGoroutines() {
    return sched.dump();
  }
}

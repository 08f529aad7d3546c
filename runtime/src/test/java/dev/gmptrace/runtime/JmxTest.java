package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedulers in JMX. */
@Timeout(60)
class JmxTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<Sched> scheds = new ArrayList<>();

  @AfterEach
  void end() {
    scheds.forEach(Sched::shutdown);
  }

  private Sched sched(int procs) {
    Sched s = new Sched(SchedOptions.defaults().withName("jmx").withProcs(procs).withCheck(true));
    scheds.add(s);
    Go.registerInJmx(s);
    return s;
  }

  private static ObjectName name(String s) throws Exception {
    return new ObjectName("dev.gmptrace:type=Scheduler,name=\"" + s + "\"");
  }

  private SchedulerMXBean bean(String s) throws Exception {
    return JMX.newMXBeanProxy(server, name(s), SchedulerMXBean.class);
  }

  @Test
  void schedulersOfOneNameAreToldApart() throws Exception {
    Sched first = sched(1);
    Sched second = sched(2);
    Go.registerInJmx(second); // has its name already
    assertEquals(1, bean("jmx").getGomaxprocs());
    assertEquals(2, bean("jmx-2").getGomaxprocs());
    assertFalse(server.isRegistered(name("jmx-3")));
    first.shutdown();
    assertFalse(server.isRegistered(name("jmx")));
    assertTrue(server.isRegistered(name("jmx-2")));
    second.shutdown();
    assertFalse(server.isRegistered(name("jmx-2")));
  }

  @Test
  void aSchedulerThatIsShutDownDoesNotStay() throws Exception {
    Sched s = new Sched(SchedOptions.defaults().withName("jmx").withProcs(1));
    s.shutdown();
    Go.registerInJmx(s);
    assertFalse(server.isRegistered(name("jmx")));
  }

  @Test
  void everyAttributeTellsWhatIs() throws Exception {
    Sched s = sched(2);
    s.run(() -> {
      for (int i = 0; i < 500; i++) { // one switch in 32 is measured
        Go.gosched();
      }
    });
    Set<String> attributes = new TreeSet<>();
    for (MBeanAttributeInfo a : server.getMBeanInfo(name("jmx")).getAttributes()) {
      attributes.add(a.getName());
    }
    assertEquals(
        Set.of(
            "Gomaxprocs",
            "NumGoroutine",
            "NumCpu",
            "Threads",
            "Metrics",
            "SchedulingLatencies",
            "SchedulingLatencyBounds"),
        attributes);
    SchedulerMXBean bean = bean("jmx");
    assertEquals(2, bean.getGomaxprocs());
    bean.setGomaxprocs(3);
    assertEquals(3, s.gomaxprocs());
    assertEquals(Go.numCPU(), bean.getNumCpu());
    s.run(() -> {
      try {
        assertEquals(1, bean("jmx").getNumGoroutine());
        assertTrue(bean("jmx").dumpGoroutines().contains(" [running]:\n"));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    assertTrue(bean.getThreads() >= 2);
    assertEquals(Metrics.read(s).byName().keySet(), bean.getMetrics().keySet());
    assertEquals(3, bean.getMetrics().get("/sched/gomaxprocs:threads"));
    long[] counts = bean.getSchedulingLatencies();
    double[] bounds = bean.getSchedulingLatencyBounds();
    assertTrue(LongStream.of(counts).sum() >= 10);
    assertEquals(counts.length + 1, bounds.length);
    assertEquals(0, bounds[0]);
    assertEquals(1.024e-6, bounds[10], 1e-12);
    Metrics.Histogram h =
        Objects.requireNonNull(Metrics.read(s).histograms().get("/sched/latencies:seconds"));
    assertEquals(counts.length, h.counts().size());
    assertEquals(bounds[20], h.bounds().get(20));
  }
}

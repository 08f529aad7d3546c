package dev.gmptrace.cli.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of workloads. */
public final class Workloads {
  /**
   * A line of the list.
   *
   * @param name what the user types
   * @param shows what to look for on the timeline
   */
  public record Entry(String name, String shows) {}

  /** The default first, then as a reader of the scheduler would want to see them. */
  public static final List<Entry> ALL =
      List.of(
          new Entry("tour", "a little of the others but procs, web and leak, one after the other"),
          new Entry("pingpong", "two goroutines wake each other through runnext"),
          new Entry("fanout", "a dispatcher, eight workers, a collector"),
          new Entry("steal", "one P floods its own queue, the others steal half of it"),
          new Entry("overflow", "a full local ring moves half of itself to the global queue"),
          new Entry("syscalls", "short system calls keep their P, long ones lose it to another M"),
          new Entry("netecho", "goroutines that wait for the network hold no thread"),
          new Entry("mutex", "contention, and starvation mode when a holder is slow"),
          new Entry("timers", "sleepers and a ticker, and how late they wake"),
          new Entry("preempt", "greedy goroutines are asked to yield after 10 ms"),
          new Entry("lockthread", "a goroutine locked to its thread, and what a switch costs then"),
          new Entry("procs", "the number of Ps changes under load"),
          new Entry("gc", "allocation, collections and the pauses they cost"),
          new Entry("web", "a small web service on goroutines, under load"),
          new Entry("pipeline", "four stages, one of them slow"),
          new Entry("leak", "goroutines that never wake"));

  private Workloads() {}

  /** The workload of that name, or null. Only its class is loaded. */
  public static @Nullable Workload create(String name) {
    return switch (name) {
      case "tour" -> new Tour();
      case "pingpong" -> new PingPong();
      case "fanout" -> new FanOut();
      case "steal" -> new Steal();
      case "overflow" -> new Overflow();
      case "syscalls" -> new SystemCalls();
      case "netecho" -> new NetEcho();
      case "mutex" -> new Mutexes();
      case "timers" -> new Timers();
      case "preempt" -> new Preempt();
      case "lockthread" -> new LockThread();
      case "procs" -> new Procs();
      case "gc" -> new Gc();
      case "web" -> new Web();
      case "pipeline" -> new Pipeline();
      case "leak" -> new Leak();
      default -> null;
    };
  }
}

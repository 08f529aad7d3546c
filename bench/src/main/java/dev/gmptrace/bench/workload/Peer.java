package dev.gmptrace.bench.workload;

/** One way to run many tasks on the JVM. Made once per process, used for many runs. */
@FunctionalInterface
public interface Peer {
  /**
   * Does the work inside one of its own tasks and returns when it is done. Called from a platform
   * thread.
   *
   * @return {@link Workload#expected} of the same n, if nothing went wrong
   */
  long run(Workload workload, int n) throws Exception;
}

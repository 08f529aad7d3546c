package dev.gmptrace.runtime.sched;

/** The platform thread of an M. Finding the M from it is one field load. */
final class MThread extends Thread {
  final M m;

  MThread(M m) {
    super(null, null, m.sched.name + "-M" + m.id, 0, false);
    this.m = m;
    setDaemon(true);
  }

  @Override
  public void run() {
    Schedule.mstart(m);
  }
}

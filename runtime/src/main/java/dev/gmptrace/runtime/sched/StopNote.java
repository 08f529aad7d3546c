package dev.gmptrace.runtime.sched;

/** What the one who stops the world sleeps on; an interrupt meanwhile is for him. */
final class StopNote extends Note {
  private boolean interrupted;

  @Override
  void interrupted() {
    interrupted = true;
  }

  /** Whether the stopper was interrupted as it slept. */
  boolean takeInterrupt() {
    boolean was = interrupted;
    interrupted = false;
    return was;
  }
}

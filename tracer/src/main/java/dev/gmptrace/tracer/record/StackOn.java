package dev.gmptrace.tracer.record;

/** The events that a stack can be recorded with; what the scheduler does by itself has none. */
public enum StackOn {
  /** Where a goroutine was spawned. */
  CREATE,
  /** Where it waits. */
  BLOCK,
  /** Who woke it. */
  UNBLOCK,
  /** Where it gave way, by itself or because its time was over. */
  STOP,
  /** Where it entered a system call. */
  SYSCALL,
  /** Where a task, a region or a line of log is. */
  USER
}

/**
 * Runs questions one at a time and only the newest of those that wait. An answer that nobody wants
 * any more still costs the server its time, so giving up and asking anew is the dear way.
 */
export class Latest {
  private running = false;
  private waiting: (() => Promise<void>) | null = null;

  run(task: () => Promise<void>) {
    this.waiting = task;
    if (!this.running) void this.drain();
  }

  /** Forgets what waits; what runs is not stopped. */
  clear() {
    this.waiting = null;
  }

  private async drain() {
    this.running = true;
    while (this.waiting) {
      const task = this.waiting;
      this.waiting = null;
      await task().catch(() => undefined);
    }
    this.running = false;
  }
}

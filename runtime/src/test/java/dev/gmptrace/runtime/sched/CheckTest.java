package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Each invariant is broken on purpose, and the check for it is seen to fire. */
@Timeout(60)
class CheckTest {
  private final Sched s =
      new Sched(SchedOptions.defaults().withName("check").withProcs(4).withDebug("check=1"));
  private final M m = new M(s, 100, false);

  @AfterEach
  void end() {
    s.shutdown();
  }

  private static void breaks(String invariant, Executable broken) {
    FatalError e = assertThrows(FatalError.class, broken);
    String text = String.valueOf(e.getMessage());
    assertTrue(text.contains("invariant " + invariant + ": "), text);
  }

  /** A goroutine that nobody made, in the state asked for. */
  private G g(int status) {
    G gp = new G(s);
    assertTrue(gp.casStatus(G.IDLE, status));
    return gp;
  }

  /** One of the Ps, in the hands of {@code m}. */
  private P held() {
    s.lock.lock();
    P pp = s.pidleget();
    s.lock.unlock();
    Threads.acquirep(m, java.util.Objects.requireNonNull(pp));
    return pp;
  }

  /** {@code gp} on {@code m} with a P, as it should be. */
  private G mounted() {
    P _ = held();
    G gp = g(G.RUNNING);
    gp.m = m;
    m.curg = gp;
    Check.execute(m, gp);
    return gp;
  }

  // ---- G ----------------------------------------------------------------------------------------

  @Test
  void g1StateChangedFromWhereItIsNot() {
    breaks("G1", () -> g(G.WAITING).setStatusRelease(G.RUNNABLE, G.RUNNING));
  }

  @Test
  void g2RunsWithoutBeingTheOneOfItsM() {
    G gp = mounted();
    m.curg = null;
    breaks("G2", () -> Check.execute(m, gp));
  }

  @Test
  void g2SchedulesWithAGoroutineInHand() {
    G _ = mounted();
    breaks("G2", () -> Check.schedule(m));
  }

  @Test
  void g3QueuedThoughWaiting() {
    breaks("G3", () -> s.globrunqputLocked(g(G.WAITING)));
    s.lock.unlock();
  }

  @Test
  void g3QueuedInTwoPlaces() {
    GQueue other = new GQueue();
    G gp = g(G.RUNNABLE);
    other.pushBack(gp);
    other.pushBack(g(G.RUNNABLE));
    breaks("G3", () -> Proc.runqput(s.allp[0], gp, false));
  }

  @Test
  void g3QueuedWhileStillOnItsM() {
    G gp = g(G.RUNNABLE);
    gp.m = m;
    breaks("G3", () -> Proc.runqput(s.allp[0], gp, true));
  }

  @Test
  void g4ParksWithoutBeingInLine() {
    WaitQ.Lock lock = new WaitQ.Lock(new WaitQ());
    breaks(
        "G4",
        () ->
            s.run(() -> {
              lock.lock();
              Proc.goparkunlock(ParkTest.current(), lock, WaitReason.CHAN_RECEIVE);
            }));
  }

  @Test
  void g4SemaphoreForgetsWhoWaits() {
    Sema sema = new Sema();
    breaks(
        "G4",
        () ->
            s.run(() -> {
              sema.lock();
              Proc.goparkunlock(ParkTest.current(), sema, WaitReason.SYNC_MUTEX_LOCK);
            }));
  }

  @Test
  void g4WokenButStillInLine() {
    WaitQ line = new WaitQ();
    WaitQ.Lock lock = new WaitQ.Lock(line);
    AtomicReference<Throwable> seen = new AtomicReference<>();
    s.run(() -> {
      G waiter =
          s.go(() -> {
            G gp = ParkTest.current();
            Sudog sg = Sudog.acquire(gp);
            lock.lock();
            line.enqueue(sg);
            Proc.goparkunlock(gp, lock, WaitReason.CHAN_RECEIVE);
          });
      while (waiter.status() != G.WAITING || lock.isLocked()) {
        Proc.gosched();
      }
      try {
        Proc.goready(waiter);
      } catch (FatalError e) {
        seen.set(e);
      }
    });
    assertTrue(String.valueOf(seen.get()).contains("invariant G4"), String.valueOf(seen.get()));
  }

  @Test
  void g4WokenTwice() {
    assertThrows(FatalError.class, () -> Proc.goready(g(G.RUNNABLE)));
  }

  @Test
  void g5ParksWithARuntimeLock() {
    assertTrue(HeldLocks.ON, "the tests run with -Dgmptrace.check=true");
    RuntimeMutex forgotten = new RuntimeMutex();
    breaks(
        "G5",
        () ->
            s.run(() -> {
              forgotten.lock();
              Proc.gopark(ParkTest.current(), null, null, WaitReason.SLEEP);
            }));
  }

  @Test
  void g5YieldsWithARuntimeLock() {
    RuntimeMutex forgotten = new RuntimeMutex();
    breaks(
        "G5",
        () ->
            s.run(() -> {
              forgotten.lock();
              Proc.gosched();
              // Another M may run it on before its last one has noticed; main must not return then.
              Proc.gopark(ParkTest.current(), null, null, WaitReason.SLEEP);
            }));
  }

  @Test
  void g5TheJdkParksItWithARuntimeLock() {
    RuntimeMutex forgotten = new RuntimeMutex();
    breaks(
        "G5",
        () ->
            s.run(() -> {
              assertTrue(forgotten.tryLock());
              java.util.concurrent.locks.LockSupport.park();
            }));
  }

  @Test
  void g6ChangesStateWhileSysmonHoldsIt() {
    G gp = g(G.SYSCALL | G.SCAN);
    breaks("G6", () -> gp.setStatusRelease(G.SYSCALL, G.RUNNING));
  }

  // ---- M ----------------------------------------------------------------------------------------

  @Test
  void m1IdleWithAGoroutine() {
    m.curg = g(G.RUNNING);
    breaks("M1", () -> s.mput(m));
  }

  @Test
  void m1StopsWithAP() {
    P _ = held();
    assertThrows(FatalError.class, () -> Threads.stopm(m));
  }

  @Test
  void m2SpinsWithoutAP() {
    P _ = held();
    M other = new M(s, 101, false);
    breaks("M2", () -> FindRunnable.becomeSpinning(s, other));
  }

  @Test
  void m3SpinsWithWork() {
    P pp = held();
    pp.runq.put(g(G.RUNNABLE), true, pp.overflow);
    breaks("M3", () -> FindRunnable.becomeSpinning(s, m));
  }

  @Test
  void m3RunsAGoroutineWhileItSpins() {
    G gp = mounted();
    m.spinning = true;
    breaks("M3", () -> Check.execute(m, gp));
  }

  @Test
  void m4InASyscallWithAP() {
    P pp = held();
    m.syscallp = pp;
    breaks("M4", () -> Check.inSyscall(m));
  }

  @Test
  void m6RunsOnAnotherThanItsLockedM() {
    G gp = mounted();
    gp.lockedm = new M(s, 101, false);
    breaks("M6", () -> Check.execute(m, gp));
  }

  @Test
  void m6LockedMRunsAnother() {
    G gp = mounted();
    m.lockedg = g(G.WAITING);
    breaks("M6", () -> Check.execute(m, gp));
  }

  @Test
  void m7TooManySpin() {
    G gp = mounted();
    s.nmspinning.set(3);
    breaks("M7", () -> Check.execute(m, gp));
  }

  // ---- P ----------------------------------------------------------------------------------------

  @Test
  void p1HeldByAnother() {
    G gp = mounted();
    m.p().m = new M(s, 101, false);
    breaks("P1", () -> Check.execute(m, gp));
  }

  @Test
  void p1TakenTwice() {
    P pp = held();
    assertThrows(FatalError.class, () -> Threads.acquirep(new M(s, 101, false), pp));
  }

  @Test
  void p2IdleButHeld() {
    P pp = held();
    breaks("P2", () -> s.pidleput(pp));
  }

  @Test
  void p3LeftBehindButAnothers() {
    P pp = held();
    m.p = null;
    m.syscallp = pp;
    pp.m = new M(s, 101, false);
    breaks("P3", () -> Check.inSyscall(m));
  }

  @Test
  void p4StopsWithoutAStopOfTheWorld() {
    breaks("P4", () -> World.stoppedUnderLock(s, s.allp[0]));
  }

  @Test
  void p4StillStoppedAsTheWorldStarts() {
    s.allp[2].setStatus(P.GCSTOP);
    breaks("P4", () -> Check.worldStarts(s));
  }

  @Test
  void p5UsedBeyondGomaxprocs() {
    P last = s.allp[3];
    assertTrue(s.pidleremove(last));
    s.gomaxprocs = 3;
    breaks("P5", () -> Threads.acquirep(m, last));
  }

  @Test
  void p5DeadWithWork() {
    P last = s.allp[3];
    last.runq.put(g(G.RUNNABLE), false, last.overflow);
    breaks("P5", () -> Check.dead(last));
  }

  @Test
  void p6UsedButMarkedIdle() {
    breaks("P6", () -> Threads.acquirep(m, s.allp[1]));
  }

  @Test
  void p6IdleButNotMarked() {
    P pp = s.allp[1];
    assertTrue(s.pidleremove(pp));
    breaks("P6", () -> Check.idle(pp));
  }

  // ---- run queues -------------------------------------------------------------------------------

  @Test
  void r1RingOverfull() throws ReflectiveOperationException {
    VarHandle tail =
        MethodHandles.privateLookupIn(RunQueue.class, MethodHandles.lookup())
            .findVarHandle(RunQueue.class, "tail", int.class);
    P pp = s.allp[0];
    tail.set(pp.runq, RunQueue.SIZE + 1);
    breaks("R1", () -> Proc.runqput(pp, g(G.RUNNABLE), false));
    tail.set(pp.runq, 0);
  }

  @Test
  void r2PutByOneWhoDoesNotHoldTheP() {
    P pp = held();
    breaks("R2", () -> Proc.runqput(pp, g(G.RUNNABLE), false));
  }

  @Test
  void r5RunnextIsInTheRingToo() {
    P pp = s.allp[0];
    G gp = g(G.RUNNABLE);
    Proc.runqput(pp, gp, false);
    breaks("R5", () -> Proc.runqput(pp, gp, true));
  }

  @Test
  void r6OverflowOfTheWrongSize() {
    GQueue batch = new GQueue();
    batch.pushBack(g(G.RUNNABLE));
    breaks("R6", () -> s.allp[0].overflow.take(batch));
  }

  @Test
  void r7GlobalQueueWithoutTheLock() {
    breaks("R7", () -> s.globrunqput(g(G.RUNNABLE)));
    breaks("R7", () -> s.globrunqget(s.allp[0], 1));
    assertEquals(0, s.runqsize);
  }

  // ---- the list of them -------------------------------------------------------------------------

  /**
   * docs/CONTRACT.md has a row for each invariant, and says "none" exactly where no test is here.
   */
  @Test
  void theListInTheDocsIsThisOne() throws IOException {
    List<String> doc = Files.readAllLines(Path.of("..", "docs", "CONTRACT.md"));
    List<String> tests =
        Stream.of(CheckTest.class.getDeclaredMethods()).map(Method::getName).toList();
    Map<String, Integer> counts = Map.of("G", 6, "M", 7, "P", 6, "R", 7);
    counts.forEach((kind, n) -> {
      for (int i = 1; i <= n; i++) {
        String id = kind + i;
        List<String> rows = doc.stream().filter(line -> line.startsWith("| " + id + " |")).toList();
        assertEquals(1, rows.size(), "rows of " + id);
        boolean inside = !rows.get(0).split("\\|", -1)[3].strip().startsWith("none");
        String prefix = id.toLowerCase(Locale.ROOT);
        assertEquals(inside, tests.stream().anyMatch(t -> t.startsWith(prefix)), id);
      }
    });
  }
}

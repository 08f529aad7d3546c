package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scheduler at a moment, for schedtrace. Taken under the lock, but Ms go on running. */
final class Snapshots {
  private Snapshots() {}

  static SchedSnapshot take(Sched s, long millis, boolean detail) {
    s.lock.lock();
    try {
      List<SchedSnapshot.Proc> procs = new ArrayList<>();
      P[] ps = s.allp;
      for (int i = 0; i < s.gomaxprocs; i++) {
        P pp = ps[i];
        M mp = pp.m;
        procs.add(
            new SchedSnapshot.Proc(
                pp.id,
                pp.status(),
                pp.schedtick,
                pp.syscalltick,
                mp == null ? SchedSnapshot.NONE : mp.id,
                pp.runq.size(),
                pp.gfreeCount,
                pp.timers.size()));
      }
      return new SchedSnapshot(
          millis,
          s.gomaxprocs,
          s.npidle.get(),
          s.mcount(),
          s.nmspinning.get(),
          s.needspinning.get(),
          s.nmidle,
          s.runqsize,
          procs,
          detail ? detail(s) : null);
    } finally {
      s.lock.unlock();
    }
  }

  private static SchedSnapshot.Detail detail(Sched s) {
    List<SchedSnapshot.Machine> machines = new ArrayList<>();
    for (M mp = s.allm; mp != null; mp = mp.alllink) {
      machines.add(machine(mp));
    }
    // The monitor's M is in no list, since it never runs anything; but it counts among the threads.
    if (s.sysmonM != null) {
      machines.add(machine(s.sysmonM));
    }
    machines.sort(Comparator.comparingLong(SchedSnapshot.Machine::id).reversed());
    List<SchedSnapshot.Goroutine> goroutines = new ArrayList<>();
    s.allgs.forEach(gp -> {
      int status = gp.status();
      if (status == G.DEAD || status == G.IDLE) {
        return;
      }
      M mp = gp.m;
      M locked = gp.lockedm;
      goroutines.add(
          new SchedSnapshot.Goroutine(
              gp.goid(),
              status,
              gp.waitreason.text(),
              mp == null ? SchedSnapshot.NONE : mp.id,
              locked == null ? SchedSnapshot.NONE : locked.id));
    });
    // Slots are used again, so their order is not that of making.
    goroutines.sort(Comparator.comparingLong(SchedSnapshot.Goroutine::id));
    return new SchedSnapshot.Detail(
        s.gcwaiting, s.nmidlelocked, s.stopwait, s.sysmonSleep.isLong(), machines, goroutines);
  }

  private static SchedSnapshot.Machine machine(M mp) {
    P pp = mp.p != null ? mp.p : mp.syscallp;
    return SchedSnapshot.Machine.of(
        mp.id,
        pp == null ? SchedSnapshot.NONE : pp.id,
        id(mp.curg),
        mp.spinning,
        mp.blocked,
        id(mp.lockedg));
  }

  private static long id(@Nullable G gp) {
    return gp == null ? SchedSnapshot.NONE : gp.goid();
  }
}

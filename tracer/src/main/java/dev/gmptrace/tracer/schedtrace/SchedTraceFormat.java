package dev.gmptrace.tracer.schedtrace;

import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Detail;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Goroutine;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Machine;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Proc;
import java.util.Locale;

/**
 * The text of schedtrace lines, byte for byte as a Go runtime of that version prints them.
 *
 * <pre>
 * 1.24  SCHED 10ms: gomaxprocs=2 … runqueue=0 [1 0]
 * 1.25  SCHED 10ms: gomaxprocs=2 … runqueue=0 [ 1 0 ] schedticks=[ 84 46 ]
 * </pre>
 *
 * With {@code scheddetail=1} both versions print the same: no brackets, four more fields, then a
 * line a P, an M (newest first) and a G.
 */
public enum SchedTraceFormat {
  /** Up to Go 1.24. */
  GO_1_24,
  /** Go 1.25 and newer. */
  GO_1_25;

  /**
   * The format of a Go version such as {@code 1.24}, {@code go1.27} or {@code 1.26.3}.
   *
   * @throws IllegalArgumentException when that is not a version of Go 1
   */
  public static SchedTraceFormat of(String version) {
    String v = version.toLowerCase(Locale.ROOT);
    v = v.startsWith("go") ? v.substring(2).strip() : v;
    if (!v.matches("1\\.\\d{1,4}(\\.\\d+)*")) {
      throw new IllegalArgumentException(
          "'" + version + "' is not a Go version; expected one like 1.24 or 1.25");
    }
    return Integer.parseInt(v.split("\\.", -1)[1]) <= 24 ? GO_1_24 : GO_1_25;
  }

  /** The whole text, ending with a line feed. */
  public String format(SchedSnapshot s) {
    var sb = new StringBuilder(256);
    append(s, sb);
    return sb.toString();
  }

  /** Appends the whole text, ending with a line feed. */
  public void append(SchedSnapshot s, StringBuilder to) {
    to.append("SCHED ").append(s.millis()).append("ms: gomaxprocs=").append(s.gomaxprocs());
    to.append(" idleprocs=").append(s.idleprocs()).append(" threads=").append(s.threads());
    to.append(" spinningthreads=").append(s.spinningthreads());
    to.append(" needspinning=").append(s.needspinning());
    to.append(" idlethreads=").append(s.idlethreads()).append(" runqueue=").append(s.runqueue());
    Detail detail = s.detail();
    if (detail == null) {
      queues(s, to);
    } else {
      detail(s, detail, to);
    }
  }

  private void queues(SchedSnapshot s, StringBuilder to) {
    String open = this == GO_1_24 ? " [" : " [ ";
    for (int i = 0; i < s.procs().size(); i++) {
      to.append(i == 0 ? open : " ").append(s.procs().get(i).runqsize());
    }
    if (this == GO_1_24) {
      to.append("]\n");
      return;
    }
    to.append(" ] schedticks=[ ");
    for (Proc p : s.procs()) {
      to.append(p.schedtick()).append(' ');
    }
    to.append("]\n");
  }

  private static void detail(SchedSnapshot s, Detail d, StringBuilder to) {
    to.append(" gcwaiting=")
        .append(d.gcwaiting())
        .append(" nmidlelocked=")
        .append(d.nmidlelocked());
    to.append(" stopwait=").append(d.stopwait()).append(" sysmonwait=").append(d.sysmonwait());
    to.append('\n');
    for (Proc p : s.procs()) {
      to.append("  P").append(p.id()).append(": status=").append(p.status());
      to.append(" schedtick=").append(p.schedtick());
      to.append(" syscalltick=").append(p.syscalltick()).append(" m=");
      id(p.m(), to).append(" runqsize=").append(p.runqsize());
      to.append(" gfreecnt=").append(p.gfreecnt());
      to.append(" timerslen=").append(p.timerslen()).append('\n');
    }
    for (Machine m : d.machines()) {
      to.append("  M").append(m.id()).append(": p=");
      id(m.p(), to).append(" curg=");
      id(m.curg(), to).append(" mallocing=").append(m.mallocing());
      to.append(" throwing=").append(m.throwing()).append(" preemptoff=").append(m.preemptoff());
      to.append(" locks=").append(m.locks()).append(" dying=").append(m.dying());
      to.append(" spinning=").append(m.spinning()).append(" blocked=").append(m.blocked());
      id(m.lockedg(), to.append(" lockedg=")).append('\n');
    }
    for (Goroutine g : d.goroutines()) {
      to.append("  G").append(g.id()).append(": status=").append(g.status());
      to.append('(').append(g.waitReason()).append(") m=");
      id(g.m(), to).append(" lockedm=");
      id(g.lockedm(), to).append('\n');
    }
  }

  private static StringBuilder id(long id, StringBuilder to) {
    return id == SchedSnapshot.NONE ? to.append("nil") : to.append(id);
  }
}

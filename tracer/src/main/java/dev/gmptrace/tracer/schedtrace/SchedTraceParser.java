package dev.gmptrace.tracer.schedtrace;

import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Detail;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Goroutine;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Machine;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Proc;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads schedtrace lines of any Go from 1.19 on, and ours, back into snapshots.
 *
 * <p>Lines that are not schedtrace's are passed over: the program writes to the same stream. A line
 * that begins as schedtrace's and does not go on as such is an error that names the line, since a
 * parser that forgives proves nothing about the printer.
 */
public final class SchedTraceParser {
  private static final String ID = "(nil|\\d+)";
  private static final String FLAG = "(true|false)";
  private static final Pattern HEAD =
      Pattern.compile(
          "SCHED (\\d+)ms: gomaxprocs=(\\d+) idleprocs=(\\d+) threads=(\\d+) spinningthreads=(\\d+)"
              + " needspinning=(\\d+) idlethreads=(-?\\d+) runqueue=(\\d+)(.*)");
  private static final Pattern QUEUES_1_24 = Pattern.compile(" \\[(\\d+(?: \\d+)*)\\]");
  private static final Pattern QUEUES_1_25 =
      Pattern.compile(" \\[ (\\d+(?: \\d+)*) \\] schedticks=\\[ (\\d+(?: \\d+)*) \\]");
  private static final Pattern DETAIL =
      Pattern.compile(
          " gcwaiting=" + FLAG + " nmidlelocked=(-?\\d+) stopwait=(\\d+) sysmonwait=" + FLAG);
  private static final Pattern PROC =
      Pattern.compile(
          "  P(\\d+): status=(\\d+) schedtick=(\\d+) syscalltick=(\\d+) m="
              + ID
              + " runqsize=(\\d+) gfreecnt=(\\d+) timerslen=(\\d+)");
  private static final Pattern MACHINE =
      Pattern.compile(
          "  M(\\d+): p="
              + ID
              + " curg="
              + ID
              + " mallocing=(\\d+) throwing=(\\d+) preemptoff=(.*) locks=(\\d+) dying=(\\d+)"
              + " spinning="
              + FLAG
              + " blocked="
              + FLAG
              + " lockedg="
              + ID);
  private static final Pattern GOROUTINE =
      Pattern.compile("  G(\\d+): status=(\\d+)\\((.*)\\) m=" + ID + " lockedm=" + ID);
  private static final Pattern INDENTED = Pattern.compile("  [PMG]\\d+: .*");

  private final List<SchedSnapshot> done = new ArrayList<>();
  private @Nullable Open open;
  private int lineNumber;

  private SchedTraceParser() {}

  /**
   * All snapshots among the lines, in order.
   *
   * @throws IllegalArgumentException for the first malformed line
   */
  public static List<SchedSnapshot> parse(Iterable<String> lines) {
    var parser = new SchedTraceParser();
    for (String line : lines) {
      parser.line(line);
    }
    parser.finish();
    return parser.done;
  }

  /** All snapshots in a text. */
  public static List<SchedSnapshot> parse(String text) {
    return parse(text.lines().toList());
  }

  private void line(String line) {
    lineNumber++;
    if (line.startsWith("SCHED ")) {
      finish();
      head(line);
    } else if (open != null && INDENTED.matcher(line).matches()) {
      indented(open, line);
    }
  }

  private void head(String line) {
    Matcher m = match(HEAD, line, line);
    var head =
        new SchedSnapshot(
            Long.parseLong(m.group(1)),
            integer(m, 2),
            integer(m, 3),
            integer(m, 4),
            integer(m, 5),
            integer(m, 6),
            integer(m, 7),
            integer(m, 8),
            List.of(),
            null);
    String rest = m.group(9);
    Matcher queues = QUEUES_1_24.matcher(rest);
    if (queues.matches()) {
      done.add(withProcs(head, plainProcs(queues.group(1), null), null));
      return;
    }
    queues = QUEUES_1_25.matcher(rest);
    if (queues.matches()) {
      done.add(withProcs(head, plainProcs(queues.group(1), queues.group(2)), null));
      return;
    }
    Matcher d = match(DETAIL, rest, line);
    open = new Open(head, flag(d, 1), integer(d, 2), integer(d, 3), flag(d, 4));
  }

  private void indented(Open to, String line) {
    switch (line.charAt(2)) {
      case 'P' -> {
        Matcher m = match(PROC, line, line);
        to.procs.add(
            new Proc(
                integer(m, 1),
                integer(m, 2),
                Long.parseLong(m.group(3)),
                Long.parseLong(m.group(4)),
                id(m, 5),
                integer(m, 6),
                integer(m, 7),
                integer(m, 8)));
      }
      case 'M' -> {
        Matcher m = match(MACHINE, line, line);
        to.machines.add(
            new Machine(
                Long.parseLong(m.group(1)),
                id(m, 2),
                id(m, 3),
                integer(m, 4),
                integer(m, 5),
                m.group(6),
                integer(m, 7),
                integer(m, 8),
                flag(m, 9),
                flag(m, 10),
                id(m, 11)));
      }
      default -> {
        Matcher m = match(GOROUTINE, line, line);
        to.goroutines.add(
            new Goroutine(
                Long.parseLong(m.group(1)), integer(m, 2), m.group(3), id(m, 4), id(m, 5)));
      }
    }
  }

  private void finish() {
    Open last = open;
    open = null;
    if (last != null) {
      done.add(
          withProcs(
              last.head,
              last.procs,
              new Detail(
                  last.gcwaiting,
                  last.nmidlelocked,
                  last.stopwait,
                  last.sysmonwait,
                  last.machines,
                  last.goroutines)));
    }
  }

  private static List<Proc> plainProcs(String lengths, @Nullable String ticks) {
    String[] length = lengths.split(" ", -1);
    String[] tick = ticks == null ? new String[0] : ticks.split(" ", -1);
    var procs = new ArrayList<Proc>();
    for (int i = 0; i < length.length; i++) {
      long schedtick = i < tick.length ? Long.parseLong(tick[i]) : 0;
      procs.add(Proc.plain(i, Integer.parseInt(length[i]), schedtick));
    }
    return procs;
  }

  private static SchedSnapshot withProcs(
      SchedSnapshot head, List<Proc> procs, @Nullable Detail detail) {
    return new SchedSnapshot(
        head.millis(),
        head.gomaxprocs(),
        head.idleprocs(),
        head.threads(),
        head.spinningthreads(),
        head.needspinning(),
        head.idlethreads(),
        head.runqueue(),
        procs,
        detail);
  }

  private Matcher match(Pattern pattern, String text, String line) {
    Matcher m = pattern.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "line " + lineNumber + " is not a schedtrace line: " + line);
    }
    return m;
  }

  private static int integer(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }

  private static boolean flag(Matcher m, int group) {
    return Boolean.parseBoolean(m.group(group));
  }

  private static long id(Matcher m, int group) {
    String text = m.group(group);
    return text.equals("nil") ? SchedSnapshot.NONE : Long.parseLong(text);
  }

  /** A detailed snapshot whose indented lines are still coming. */
  private static final class Open {
    final SchedSnapshot head;
    final boolean gcwaiting;
    final int nmidlelocked;
    final int stopwait;
    final boolean sysmonwait;
    final List<Proc> procs = new ArrayList<>();
    final List<Machine> machines = new ArrayList<>();
    final List<Goroutine> goroutines = new ArrayList<>();

    Open(
        SchedSnapshot head, boolean gcwaiting, int nmidlelocked, int stopwait, boolean sysmonwait) {
      this.head = head;
      this.gcwaiting = gcwaiting;
      this.nmidlelocked = nmidlelocked;
      this.stopwait = stopwait;
      this.sysmonwait = sysmonwait;
    }
  }
}

package dev.gmptrace.bench.workload;

import org.jspecify.annotations.Nullable;

/**
 * The work that every peer does, in its own idiom. One operation is what a user would count: a
 * round trip, a value received, a goroutine started and ended.
 *
 * <p>A run of {@code n} operations returns a number that only the whole work can give, so a peer
 * that loses a message or a task is found out and not praised for its speed.
 */
public enum Workload {
  /** Two goroutines, two unbuffered channels, one value there and back. */
  PINGPONG("pingpong", "round trip over two unbuffered channels", 600_000, 1) {
    @Override
    public long expected(int n) {
      return sumBelow(n);
    }
  },
  /** One producer, one consumer, 128 slots. */
  BUFFERED("buffered", "value through a channel of 128 slots", 3_000_000, 1) {
    @Override
    public long expected(int n) {
      return sumBelow(n);
    }
  },
  /** Starts n goroutines that only count down, waits for all. */
  SPAWN("spawn", "goroutine started, ended and waited for", 1_000_000, 1) {
    @Override
    public long expected(int n) {
      return n;
    }
  },
  /** A tree of goroutines, ten children each, a million leaves; sums travel up over channels. */
  SKYNET("skynet", "goroutine of a tree of 1.11 million", 1_111_111, 0) {
    @Override
    public long expected(int n) {
      return sumBelow(1_000_000);
    }
  },
  /** A chain of a thousand filters; the last one lets the thousandth prime through. */
  SIEVE("sieve", "value passed in a chain of 1000 prime filters", 517_383, 0) {
    @Override
    public long expected(int n) {
      return 7919;
    }
  },
  /** Four goroutines that do nothing but give way. */
  YIELD("yield", "yield, four goroutines in turn", 2_000_000, 4) {
    @Override
    public long expected(int n) {
      return n;
    }
  },
  /** Sixteen goroutines, one lock, one increment under it. */
  MUTEX("mutex", "lock and unlock, 16 goroutines on one mutex", 4_000_000, 16) {
    @Override
    public long expected(int n) {
      return n;
    }
  },
  /** One sender, two unbuffered channels in turn; the receiver selects over them and a third. */
  SELECT("select", "value received by a select over three channels", 500_000, 2) {
    @Override
    public long expected(int n) {
      return sumBelow(n);
    }
  },
  /** 64 goroutines that read a few bytes from the kernel over and over: calls that do not block. */
  SYSCALL("syscall", "read(2) of 64 bytes that does not block, 64 goroutines", 299_968, 64) {
    @Override
    public long expected(int n) {
      return 64L * n;
    }
  },
  /** 64 goroutines that block their thread in the kernel for a millisecond at a time. */
  BLOCKING("blocking", "usleep(3) of 1 ms that blocks its thread, 64 goroutines", 1280, 64) {
    @Override
    public long expected(int n) {
      return n;
    }
  },
  /** Every goroutine sleeps once, 1 to 50 ms. */
  TIMERS("timers", "goroutine that sleeps 1 to 50 ms, 100 000 at once", 100_000, 0) {
    @Override
    public long expected(int n) {
      return n;
    }
  },
  /**
   * A thousand connections on the loopback, client and server in one process. They are made in a
   * process's first run, which is never measured, and used by all.
   */
  NETECHO("netecho", "64-byte round trip over TCP, 1000 connections at once", 40_000, 1000) {
    @Override
    public long expected(int n) {
      return 64L * n;
    }
  },
  /** A Javalin service and its clients in one process; what a trace costs in everyday work. */
  WEB("web", "HTTP request answered with JSON by Javalin, 16 connections", 16_000, 16) {
    @Override
    public long expected(int n) {
      return n;
    }
  };

  /** Goroutines of {@link #YIELD}. */
  public static final int YIELDERS = 4;

  /** Goroutines of {@link #MUTEX}. */
  public static final int LOCKERS = 16;

  /** Goroutines of {@link #SYSCALL} and {@link #BLOCKING}. */
  public static final int CALLERS = 64;

  /** Connections of {@link #NETECHO}. */
  public static final int CONNECTIONS = 1000;

  /** Connections of {@link #WEB}. */
  public static final int CLIENTS = 16;

  /** Bytes of one message of {@link #NETECHO} and one read of {@link #SYSCALL}. */
  public static final int MESSAGE = 64;

  /** The sieve's primes. */
  public static final int PRIMES = 1000;

  /** Leaves of {@link #SKYNET}. */
  public static final int LEAVES = 1_000_000;

  private final String id;
  private final String operation;
  private final int operations;
  private final int step;

  Workload(String id, String operation, int operations, int step) {
    this.id = id;
    this.operation = operation;
    this.operations = operations;
    this.step = step;
  }

  /** Its name on the command line, in reports and in the other languages' programs. */
  public String id() {
    return id;
  }

  /** What one operation is. */
  public String operation() {
    return operation;
  }

  /** Operations of one full run. */
  public int operations() {
    return operations;
  }

  /**
   * Operations of a run cut down to a share of the full one; every goroutine still gets the same
   * number. Work that has a size of its own is not cut.
   */
  public int scaled(double share) {
    return step == 0 ? operations : Math.max((int) (operations * share) / step, 1) * step;
  }

  /** Whether tracing it says what an event costs; calls that block are few and mostly wait. */
  public boolean makesEvents() {
    return this != BLOCKING;
  }

  /** What a run of {@code n} operations returns. */
  public abstract long expected(int n);

  /** The one of that name, or null. */
  public static @Nullable Workload of(String id) {
    for (Workload w : values()) {
      if (w.id.equals(id)) {
        return w;
      }
    }
    return null;
  }

  private static long sumBelow(long n) {
    return n * (n - 1) / 2;
  }
}

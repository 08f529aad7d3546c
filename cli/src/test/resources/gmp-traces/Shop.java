import dev.gmptrace.runtime.*;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

// The program behind shop.bin, a little of everything in a tenth of a second. To record it again:
//   GMPDEBUG=seed=7,tracestack=6,trace=shop.bin GMPMAXPROCS=3 gmptrace run Shop.java
// and then -Dgmptrace.golden=update for the texts, which must be read before they are committed.
void main() {
  Go.run(() -> {
    Trace.label("the shop");
    orders();
    rush();
    greedy();
    warehouse();
    garbage();
    Go.go("forgotten", () -> Chan.<Integer>make().take());
    Go.sleep(Duration.ofMillis(2));
    Trace.log("shop", "closed");
  });
}

// Tasks with regions and log lines, over channels, a mutex and timers.
void orders() {
  Chan<Integer> orders = Chan.make(4);
  Chan<Integer> bills = Chan.make();
  Mutex till = new Mutex();
  WaitGroup clerks = new WaitGroup();
  for (int i = 0; i < 3; i++) {
    clerks.go(() -> {
      for (int order : orders) {
        try (var task = Trace.task("order")) {
          task.log("order", "number " + order);
          try (var _ = task.region("pick")) {
            Go.sleep(Duration.ofMillis(1));
          }
          try (var _ = task.region("pay")) {
            till.lock();
            spin(300);
            till.unlock();
          }
        }
        bills.send(order);
      }
    });
  }
  Go.go(() -> {
    for (int order = 1; order <= 9; order++) {
      orders.send(order);
    }
    orders.close();
    clerks.await();
    bills.close();
  });
  for (int _ : bills) {
    Go.gosched();
  }
}

// More goroutines at once than a ring holds: some overflow to the global queue, others are stolen.
void rush() {
  try (var _ = Trace.region("rush")) {
    Chan<Integer> door = Chan.make();
    WaitGroup customers = new WaitGroup();
    for (int i = 0; i < 400; i++) {
      customers.go(() -> {
        for (int _ : door) {}
        spin(50);
      });
    }
    Go.sleep(Duration.ofMillis(5));
    door.close();
    customers.await();
  }
}

// Keeps its P until it is asked to give way.
void greedy() {
  WaitGroup wait = new WaitGroup();
  wait.go(() -> spin(25_000));
  wait.await();
}

// System calls: short ones keep their P, a long one loses it.
void warehouse() {
  var linker = Linker.nativeLinker();
  var usleep =
      linker.downcallHandle(
          linker.defaultLookup().findOrThrow("usleep"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  WaitGroup wait = new WaitGroup();
  for (int micros : new int[] {0, 0, 0, 8000, 8000}) {
    wait.go(() -> {
      try {
        int _ = Go.syscall(() -> {
          try {
            return (int) usleep.invokeExact(micros);
          } catch (Throwable e) {
            throw new IllegalStateException(e);
          }
        });
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      spin(200);
    });
  }
  wait.await();
}

void garbage() {
  System.gc();
  Go.sleep(Duration.ofMillis(60));
}

void spin(int micros) {
  long until = System.nanoTime() + micros * 1000L;
  while (System.nanoTime() < until) {
    Go.checkPreempt();
  }
}

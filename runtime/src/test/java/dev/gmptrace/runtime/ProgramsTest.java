package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs that every implementation of channels has been tried with. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProgramsTest {
  /** Doug McIlroy's prime sieve: a goroutine for each prime, a channel between each two. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void primeSieve(int procs) {
    int[] primes = new int[200];
    ChanTest.onProcs(
        procs,
        () -> {
          Chan<Integer> numbers = Chan.make();
          Go.go(() -> {
            for (int i = 2; ; i++) {
              numbers.send(i);
            }
          });
          Chan<Integer> ch = numbers;
          for (int i = 0; i < primes.length; i++) {
            int prime = ch.take();
            primes[i] = prime;
            Chan<Integer> in = ch;
            Chan<Integer> out = Chan.make();
            Go.go(() -> {
              for (int n : in) {
                if (n % prime != 0) {
                  out.send(n);
                }
              }
            });
            ch = out;
          }
        });
    assertEquals(2, primes[0]);
    assertEquals(541, primes[99]);
    assertEquals(1223, primes[199]);
  }

  /** A million numbers added up by a tree of goroutines, ten branches each; smaller here. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void skynet(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Chan<Long> result = Chan.make();
          Go.go(() -> skynet(result, 0, 100_000));
          assertEquals(4_999_950_000L, result.receive());
        });
  }

  private static void skynet(Chan<Long> up, long num, long size) {
    if (size == 1) {
      up.send(num);
      return;
    }
    Chan<Long> down = Chan.make();
    for (int i = 0; i < 10; i++) {
      long sub = num + i * (size / 10);
      Go.go(() -> skynet(down, sub, size / 10));
    }
    long sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += down.take();
    }
    up.send(sum);
  }

  /** 10 000 goroutines in a row pass a number on, each adding one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void chain(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          int n = 10_000;
          Chan<Integer> leftmost = Chan.make();
          Chan<Integer> right = leftmost;
          for (int i = 0; i < n; i++) {
            Chan<Integer> left = right;
            Chan<Integer> next = Chan.make();
            Go.go(() -> left.send(1 + next.take()));
            right = next;
          }
          Chan<Integer> last = right;
          Go.go(() -> last.send(0));
          assertEquals(n, leftmost.receive());
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void diningPhilosophers(int procs) {
    int philosophers = 5;
    int meals = 200;
    int[] eaten = new int[philosophers];
    ChanTest.onProcs(
        procs,
        () -> {
          Mutex[] forks = new Mutex[philosophers];
          Arrays.setAll(forks, i -> new Mutex());
          Semaphore seats = new Semaphore(philosophers - 1);
          boolean[] taken = new boolean[philosophers];
          WaitGroup wg = new WaitGroup();
          for (int p = 0; p < philosophers; p++) {
            int me = p;
            int other = (p + 1) % philosophers;
            wg.go(() -> {
              for (int m = 0; m < meals; m++) {
                seats.acquire();
                forks[me].lock();
                forks[other].lock();
                assertTrue(!taken[me] && !taken[other], "a fork in two hands");
                taken[me] = true;
                taken[other] = true;
                Go.gosched();
                eaten[me]++;
                taken[me] = false;
                taken[other] = false;
                forks[other].unlock();
                forks[me].unlock();
                seats.release();
              }
            });
          }
          wg.await();
        });
    for (int e : eaten) {
      assertEquals(meals, e);
    }
  }

  // ---- power series (McIlroy, "Squinting at power series") --------------------------------------

  /** An infinite stream of coefficients, made on demand. */
  private record Series(Chan<Boolean> ask, Chan<Rational> coefficients) {
    static Series of(Producer p) {
      Series s = new Series(Chan.make(), Chan.make());
      Go.go(() -> p.produce(s));
      return s;
    }

    Rational get() {
      ask.send(true);
      return coefficients.take();
    }

    /** Called by the producer: waits to be asked, then answers. */
    void put(Rational r) {
      Boolean _ = ask.receive();
      coefficients.send(r);
    }

    /**
     * Two streams with what this one gives. While it waits for the source it must go on answering
     * whoever is behind, since the source may be waiting for just that one.
     */
    Series[] split() {
      Series[] both = {new Series(Chan.make(), Chan.make()), new Series(Chan.make(), Chan.make())};
      Go.go(() -> splitInto(both));
      return both;
    }

    private void splitInto(Series[] both) {
      List<List<Rational>> behind = List.of(new ArrayList<>(), new ArrayList<>());
      boolean[] wanting = new boolean[2];
      boolean pending = false;
      Select select = new Select();
      Select.Case first = select.receive(both[0].ask);
      Select.Case second = select.receive(both[1].ask);
      Select.Send<Boolean> asking = select.send((SendChan<Boolean>) null, true);
      Select.Receive<Rational> reply = select.receive((ReceiveChan<Rational>) null);
      for (; ; ) {
        Select.Case c = select.await();
        if (c == first) {
          wanting[0] = true;
        } else if (c == second) {
          wanting[1] = true;
        } else if (c == asking) {
          asking.channel(null);
          reply.channel(coefficients);
        } else {
          Rational r = java.util.Objects.requireNonNull(reply.value());
          reply.channel(null);
          behind.get(0).add(r);
          behind.get(1).add(r);
          pending = false;
        }
        for (int who = 0; who < 2; who++) {
          if (wanting[who] && !behind.get(who).isEmpty()) {
            wanting[who] = false;
            both[who].coefficients.send(behind.get(who).removeFirst());
          } else if (wanting[who] && !pending) {
            pending = true;
            asking.channel(ask);
          }
        }
      }
    }
  }

  private interface Producer {
    void produce(Series out);
  }

  private record Rational(long num, long den) {
    static Rational of(long num, long den) {
      long g = gcd(Math.abs(num), Math.abs(den));
      long sign = den < 0 ? -1 : 1;
      return new Rational(sign * num / g, sign * den / g);
    }

    private static long gcd(long a, long b) {
      return b == 0 ? Math.max(a, 1) : gcd(b, a % b);
    }

    Rational plus(Rational o) {
      return of(num * o.den + o.num * den, den * o.den);
    }

    Rational times(Rational o) {
      return of(num * o.num, den * o.den);
    }
  }

  /** The integral, from a constant. */
  private static Series integral(Rational constant, Series of) {
    return Series.of(out -> {
      out.put(constant);
      for (long n = 1; ; n++) {
        out.put(of.get().times(Rational.of(1, n)));
      }
    });
  }

  private static Series product(Series f, Series g) {
    return Series.of(out -> {
      List<Rational> fs = new ArrayList<>();
      List<Rational> gs = new ArrayList<>();
      for (; ; ) {
        fs.add(f.get());
        gs.add(g.get());
        Rational sum = new Rational(0, 1);
        for (int i = 0; i < fs.size(); i++) {
          sum = sum.plus(fs.get(i).times(gs.get(fs.size() - 1 - i)));
        }
        out.put(sum);
      }
    });
  }

  /** exp is its own integral plus one; exp squared has the coefficients 2^n / n!. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void powerSeries(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Series[] exp = exponential();
          Series square = product(exp[0], exp[1]);
          Rational want = new Rational(1, 1);
          for (int n = 0; n < 12; n++) {
            assertEquals(want, square.get());
            want = want.times(Rational.of(2, n + 1));
          }
        });
  }

  private static Series[] exponential() {
    // A stream that feeds on itself: the integral reads the second copy of what it makes.
    Series feedback = new Series(Chan.make(), Chan.make());
    Series[] out = integral(new Rational(1, 1), feedback).split();
    Go.go(() -> {
      for (; ; ) {
        feedback.put(out[1].get());
      }
    });
    return out[0].split();
  }
}

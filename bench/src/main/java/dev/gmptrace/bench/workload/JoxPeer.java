package dev.gmptrace.bench.workload;

import static com.softwaremill.jox.Select.select;

import com.softwaremill.jox.Channel;
import java.util.concurrent.FutureTask;

/** jox: Go-like channels for virtual threads on the JDK's own scheduler. */
public final class JoxPeer implements Peer {
  private static final int DONE = -1;

  @Override
  public long run(Workload workload, int n) throws Exception {
    FutureTask<Long> main =
        new FutureTask<>(() ->
            switch (workload) {
              case PINGPONG -> pingpong(n);
              case BUFFERED -> buffered(n);
              case SKYNET -> skynet();
              case SIEVE -> sieve();
              case SELECT -> selects(n);
              default -> throw new IllegalArgumentException(workload.id());
            });
    Thread.startVirtualThread(main);
    return main.get();
  }

  private static long pingpong(int n) throws InterruptedException {
    Channel<Integer> there = Channel.newRendezvousChannel();
    Channel<Integer> back = Channel.newRendezvousChannel();
    JdkPeer.start(() -> {
      for (int i = 0; i < n; i++) {
        back.send(there.receive());
      }
    });
    long sum = 0;
    for (int i = 0; i < n; i++) {
      there.send(i);
      sum += back.receive();
    }
    return sum;
  }

  private static long buffered(int n) throws InterruptedException {
    Channel<Integer> channel = Channel.newBufferedChannel(128);
    JdkPeer.start(() -> {
      for (int i = 0; i < n; i++) {
        channel.send(i);
      }
    });
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += channel.receive();
    }
    return sum;
  }

  private static long skynet() throws InterruptedException {
    Channel<Long> root = Channel.newRendezvousChannel();
    JdkPeer.start(() -> skynet(root, 0, Workload.LEAVES));
    return root.receive();
  }

  private static void skynet(Channel<Long> up, long number, int size) throws InterruptedException {
    if (size == 1) {
      up.send(number);
      return;
    }
    Channel<Long> down = Channel.newRendezvousChannel();
    int share = size / 10;
    for (int i = 0; i < 10; i++) {
      long first = number + (long) i * share;
      JdkPeer.start(() -> skynet(down, first, share));
    }
    long sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += down.receive();
    }
    up.send(sum);
  }

  private static long sieve() throws InterruptedException {
    Channel<Integer> source = Channel.newRendezvousChannel();
    Thread[] threads = new Thread[Workload.PRIMES + 1];
    Channel<Integer> first = source;
    threads[0] =
        JdkPeer.start(() -> {
          for (int i = 2; ; i++) {
            first.send(i);
          }
        });
    int prime = 0;
    for (int p = 0; p < Workload.PRIMES; p++) {
      prime = source.receive();
      Channel<Integer> in = source;
      Channel<Integer> out = Channel.newRendezvousChannel();
      int divisor = prime;
      threads[p + 1] =
          JdkPeer.start(() -> {
            for (; ; ) {
              int value = in.receive();
              if (value % divisor != 0) {
                out.send(value);
              }
            }
          });
      source = out;
    }
    for (Thread thread : threads) {
      thread.interrupt();
    }
    return prime;
  }

  private static long selects(int n) throws InterruptedException {
    Channel<Integer> even = Channel.newRendezvousChannel();
    Channel<Integer> odd = Channel.newRendezvousChannel();
    Channel<Integer> done = Channel.newRendezvousChannel();
    JdkPeer.start(() -> {
      for (int i = 0; i < n; i++) {
        if ((i & 1) == 0) {
          even.send(i);
        } else {
          odd.send(i);
        }
      }
      done.send(DONE);
    });
    long sum = 0;
    for (; ; ) {
      int value = select(even.receiveClause(), odd.receiveClause(), done.receiveClause());
      if (value == DONE) {
        return sum;
      }
      sum += value;
    }
  }
}

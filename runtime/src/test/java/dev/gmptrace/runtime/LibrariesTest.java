package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server and a connection pool that know nothing of goroutines run on them, unchanged. */
@Timeout(120)
class LibrariesTest {
  private final Sched sched =
      new Sched(SchedOptions.defaults().withName("libraries").withProcs(2).withDebug("check=1"));

  private ExecutorService executor() {
    return Executors.newThreadPerTaskExecutor(GoThreadFactory.on(sched));
  }

  @AfterEach
  void end() {
    sched.shutdown();
  }

  @Test
  void jettyServesRequestsOnGoroutines() throws Exception {
    int clients = 8;
    int requests = 20;
    AtomicInteger onGoroutines = new AtomicInteger();
    QueuedThreadPool threads = new QueuedThreadPool(16, 4);
    threads.setDaemon(true);
    try (ExecutorService perRequest = executor()) {
      threads.setVirtualThreadsExecutor(perRequest);
      Javalin server =
          Javalin.create(
                  config -> {
                    config.startup.showJavalinBanner = false;
                    config.startup.showOldJavalinVersionWarning = false;
                    config.startup.startupWatcherEnabled = false;
                    config.jetty.threadPool = threads;
                    config.routes.get(
                        "/square/{n}",
                        ctx -> {
                          if (Proc.getg() != null && Proc.currentSched() == sched) {
                            onGoroutines.incrementAndGet();
                          }
                          int n = Integer.parseInt(ctx.pathParam("n"));
                          Proc.gosched();
                          ctx.result(String.valueOf(n * n));
                        });
                    config.routes.get(
                        "/fails",
                        ctx -> {
                          throw new IllegalStateException("on purpose");
                        });
                  })
              .start("localhost", 0);
      try {
        List<Future<Integer>> answers = new ArrayList<>();
        try (ExecutorService callers = executor()) {
          for (int c = 0; c < clients; c++) {
            int client = c;
            answers.add(
                callers.submit(() -> {
                  int right = 0;
                  for (int i = 0; i < requests; i++) {
                    int n = client * 100 + i;
                    right += get(server.port(), "/square/" + n).equals("200 " + n * n) ? 1 : 0;
                  }
                  return right;
                }));
          }
        }
        for (Future<Integer> f : answers) {
          assertEquals(requests, f.get());
        }
        assertEquals(clients * requests, onGoroutines.get());
        assertEquals("500 ", get(server.port(), "/fails"));
        assertEquals("200 49", get(server.port(), "/square/7"));
      } finally {
        server.stop();
      }
    }
  }

  /** Status and body; the body of an error is not looked at. */
  private static String get(int port, String path) throws IOException {
    var url = URI.create("http://localhost:" + port + path).toURL();
    HttpURLConnection c = (HttpURLConnection) url.openConnection();
    int status = c.getResponseCode();
    if (status != 200) {
      return status + " ";
    }
    try (var in = c.getInputStream()) {
      return status + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void jdbcPoolServesManyMoreGoroutinesThanItHasConnections() throws Exception {
    int goroutines = 60;
    int transfers = 10;
    Set<Thread> poolThreads = ConcurrentHashMap.newKeySet();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:libraries;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000");
    config.setMaximumPoolSize(4);
    config.setConnectionTimeout(60_000);
    GoThreadFactory factory = GoThreadFactory.on(sched).named("pool-");
    config.setThreadFactory(task -> {
      Thread t = factory.newThread(task);
      poolThreads.add(t);
      return t;
    });
    try (HikariDataSource pool = new HikariDataSource(config)) {
      update(pool, "create table account (id int primary key, amount int)");
      update(pool, "insert into account values (0, 10000), (1, 0)");
      List<Future<?>> all = new ArrayList<>();
      try (ExecutorService executor = executor()) {
        for (int g = 0; g < goroutines; g++) {
          all.add(
              executor.submit(() -> {
                for (int i = 0; i < transfers; i++) {
                  transfer(pool);
                }
                return null;
              }));
        }
      }
      for (Future<?> f : all) {
        f.get();
      }
      assertEquals(10_000 - goroutines * transfers, amount(pool, 0));
      assertEquals(goroutines * transfers, amount(pool, 1));
      assertEquals(0, pool.getHikariPoolMXBean().getActiveConnections());
      assertTrue(pool.getHikariPoolMXBean().getTotalConnections() <= 4);
    }
    assertFalse(poolThreads.isEmpty());
    assertTrue(poolThreads.stream().allMatch(Thread::isVirtual));
  }

  private static void transfer(HikariDataSource pool) throws SQLException {
    try (Connection c = pool.getConnection();
        Statement s = c.createStatement()) {
      c.setAutoCommit(false);
      s.executeUpdate("update account set amount = amount - 1 where id = 0");
      Proc.gosched(); // with the connection and its row lock in hand
      s.executeUpdate("update account set amount = amount + 1 where id = 1");
      c.commit();
    }
  }

  private static void update(HikariDataSource pool, String sql) throws SQLException {
    try (Connection c = pool.getConnection();
        Statement s = c.createStatement()) {
      s.executeUpdate(sql);
    }
  }

  private static int amount(HikariDataSource pool, int id) throws SQLException {
    try (Connection c = pool.getConnection();
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery("select amount from account where id = " + id)) {
      assertTrue(r.next());
      return r.getInt(1);
    }
  }

  /** One who waits for a connection that never comes can be called off. */
  @Test
  void interruptEndsTheWaitForAConnection() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:interrupt");
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(60_000);
    AtomicBoolean interrupted = new AtomicBoolean();
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection only = pool.getConnection()) {
      Thread waiter =
          GoThreadFactory.on(sched)
              .newThread(() -> {
                try (Connection c = pool.getConnection()) {
                  throw new AssertionError("a second connection " + c);
                } catch (SQLException e) {
                  interrupted.set(e.getCause() instanceof InterruptedException);
                }
              });
      waiter.start();
      while (pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 0) {
        Thread.onSpinWait();
      }
      waiter.interrupt();
      waiter.join();
      assertFalse(only.isClosed());
    }
    assertTrue(interrupted.get());
  }
}

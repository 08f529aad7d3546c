package dev.gmptrace.viewer;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinBindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The viewer as a running server.
 *
 * <pre>{@code
 * try (Viewer viewer = Viewer.start(ListenAddress.parse(":6060"), Path.of("trace.bin"))) {
 *   System.out.println(viewer.url());
 *   viewer.join(); // until close() from a shutdown hook
 * }
 * }</pre>
 *
 * <p>The server answers at once and shows progress while the trace is read. To add the viewer to a
 * server that exists already, see {@link #addTo}.
 *
 * <p>Its threads are daemons: a program that fails after {@code start} ends, rather than hanging on
 * a server nobody sees. Whoever wants to wait, calls {@link #join}.
 */
public final class Viewer implements AutoCloseable {
  private final Javalin server;
  private final TraceSession session;
  private final URI url;
  private final CountDownLatch closed = new CountDownLatch(1);

  private Viewer(Javalin server, TraceSession session, URI url) {
    this.server = server;
    this.session = session;
    this.url = url;
  }

  /** Starts a server and begins to read {@code trace} in the background. */
  public static Viewer start(ListenAddress address, Path trace) {
    return start(address, TraceSession.open(trace));
  }

  /** Starts a server over a session opened by the caller; closing the viewer closes the session. */
  public static Viewer start(ListenAddress address, TraceSession session) {
    HostGuard guard = new HostGuard(address);
    Javalin server =
        Javalin.create(config -> {
          config.startup.showJavalinBanner = false;
          config.startup.showOldJavalinVersionWarning = false;
          config.startup.startupWatcherEnabled = false;
          config.http.compressionStrategy = CompressionStrategy.NONE;
          config.jetty.threadPool = daemonThreads();
          config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
          config.routes.before(guard::check);
          addTo(config, "", session);
        });
    try {
      server.start(address.host(), address.port());
    } catch (JavalinBindException e) {
      session.close();
      throw new IllegalStateException(
          "Cannot listen on " + address.host() + ":" + address.port() + ": " + causeOf(e), e);
    }
    URI url = URI.create("http://" + address.hostInUrl() + ":" + server.port() + "/");
    return new Viewer(server, session, url);
  }

  /**
   * Adds the viewer's page and API to a Javalin under construction.
   *
   * <p>Who may see the page is the embedding application's affair: this adds no host check and no
   * authentication, only the headers that keep other sites from reading the answers.
   *
   * @param config the configuration inside {@code Javalin.create(config -> ...)}
   * @param basePath where the page is to live, for example {@code "/trace"}; empty for the root
   * @param session the trace to show; the caller closes it
   */
  public static void addTo(JavalinConfig config, String basePath, TraceSession session) {
    ViewerRoutes.add(config.routes, basePath, session);
  }

  /** The page's address, with the port that was really bound. */
  public URI url() {
    return url;
  }

  public TraceSession session() {
    return session;
  }

  /** Waits until the viewer is closed. */
  public void join() throws InterruptedException {
    closed.await();
  }

  @Override
  public void close() {
    server.stop();
    session.close();
    closed.countDown();
  }

  private static QueuedThreadPool daemonThreads() {
    QueuedThreadPool threads = new QueuedThreadPool(32, 4);
    threads.setName("gmptrace-viewer");
    threads.setDaemon(true);
    return threads;
  }

  private static String causeOf(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}

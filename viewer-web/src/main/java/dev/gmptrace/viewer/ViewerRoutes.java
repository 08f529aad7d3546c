package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.Trace;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Which address is answered by whom. The list is also the table of contents of docs/API.md. */
final class ViewerRoutes {
  private static final int NOT_READY = 503;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  /** Answers one kind of question about a trace that is ready. */
  @FunctionalInterface
  private interface Answer {
    void answer(Context ctx, Trace trace);
  }

  private final TraceSession session;
  private final RoutesConfig routes;
  private final String base;
  private final Sums sums = new Sums();

  private ViewerRoutes(RoutesConfig routes, String base, TraceSession session) {
    this.routes = routes;
    this.base = base;
    this.session = session;
  }

  static void add(RoutesConfig routes, String basePath, TraceSession session) {
    String base = basePath.endsWith("/") ? basePath.substring(0, basePath.length() - 1) : basePath;
    ViewerRoutes viewer = new ViewerRoutes(routes, base, session);
    viewer.addPage();
    viewer.addApi();
  }

  private void addPage() {
    WebFiles files = new WebFiles();
    routes.before(base + "/*", ViewerRoutes::secure);
    routes.get(base + "/", ctx -> page(ctx, files));
    for (String name : files.names()) {
      routes.get(base + "/" + name, ctx -> files.serve(ctx, name));
    }
  }

  private void addApi() {
    routes.get(base + "/api/v1/status", this::status);

    TimelineApi timeline = new TimelineApi();
    get("info", timeline::info);
    get("lanes", timeline::lanes);
    get("lanes/goroutines", timeline::goroutineLanes);
    get("tiles", timeline::tiles);
    get("counters", timeline::counters);
    get("points", timeline::points);
    get("heatmap", timeline::heatmap);
    get("span", timeline::span);
    get("arrows", timeline::arrows);
    get("ranges", timeline::ranges);
    get("logs", timeline::logs);
    get("search", timeline::search);

    WindowApi windows = new WindowApi();
    sum("select", windows::select);
    sum("events", windows::events);
    sum("scheduler", windows::scheduler);

    ReportsApi reports = new ReportsApi();
    sum("stats", reports::stats);
    sum("goroutines", reports::goroutines);
    sum("goroutines/list", reports::goroutineList);
    sum("goroutines/{id}", reports::goroutine);
    sum("tasks", reports::tasks);
    sum("regions", reports::regions);
    sum("mmu", reports::mmu);
    sum("findings", reports::findings);
    sum("schedtrace", reports::schedtrace);

    ProfileApi profiles = new ProfileApi();
    sum("profile", profiles::flame);
    sum("profile.pb.gz", profiles::pprof);
    sum("profile.folded", profiles::folded);

    routes.get(
        base + "/api/*",
        ctx ->
            Replies.error(
                ctx, NOT_FOUND, "there is nothing at " + ctx.path() + "; see docs/API.md"));
  }

  /** A question that is answered from what is on or near the screen. */
  private void get(String path, Answer answer) {
    routes.get(base + "/api/v1/" + path, ctx -> ready(ctx, trace -> answer(ctx, trace, answer)));
  }

  /** A question that may go through all of the trace. */
  private void sum(String path, Answer answer) {
    routes.get(
        base + "/api/v1/" + path,
        ctx -> ready(ctx, trace -> ctx.future(() -> sums.add(() -> answer(ctx, trace, answer)))));
  }

  private void ready(Context ctx, Consumer<Trace> then) {
    ctx.header("Cache-Control", "no-store");
    switch (session.status()) {
      case TraceSession.Ready ready -> then.accept(ready.trace());
      case TraceSession.Reading _ -> Replies.error(ctx, NOT_READY, "the trace is still being read");
      case TraceSession.Failed failed -> Replies.error(ctx, NOT_READY, failed.message());
    }
  }

  private static void answer(Context ctx, Trace trace, Answer answer) {
    try {
      answer.answer(ctx, trace);
    } catch (IllegalArgumentException e) {
      Replies.error(ctx, BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** The page's own links are relative, so it must be asked for with its trailing slash. */
  private void page(Context ctx, WebFiles files) {
    if (!ctx.path().endsWith("/")) {
      ctx.redirect(base + "/", HttpStatus.FOUND);
      return;
    }
    files.serve(ctx, "index.html");
  }

  private static void secure(Context ctx) {
    ctx.header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .header("Cross-Origin-Resource-Policy", "same-origin")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
                + "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'self'");
  }

  private void status(Context ctx) {
    ctx.header("Cache-Control", "no-store");
    Replies.json(ctx, statusOf(session.tell()));
  }

  private static Map<String, Object> statusOf(TraceSession.Status status) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("api", 1);
    switch (status) {
      case TraceSession.Reading reading -> {
        json.put("state", "reading");
        json.put("step", reading.step());
        json.put("fraction", reading.fraction());
        json.put("events", reading.events());
      }
      case TraceSession.Ready _ -> json.put("state", "ready");
      case TraceSession.Failed failed -> {
        json.put("state", "failed");
        json.put("error", failed.message());
      }
    }
    return json;
  }
}

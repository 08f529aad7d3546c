package dev.gmptrace.viewer;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which address is answered by whom. The list is also the table of contents of docs/API.md. */
final class ViewerRoutes {
  static final String API = "/api/v1";

  private final TraceSession session;

  private ViewerRoutes(TraceSession session) {
    this.session = session;
  }

  static void add(RoutesConfig routes, String basePath, TraceSession session) {
    String base = basePath.endsWith("/") ? basePath.substring(0, basePath.length() - 1) : basePath;
    new ViewerRoutes(session).add(routes, base);
  }

  private void add(RoutesConfig routes, String base) {
    WebFiles files = new WebFiles();
    routes.before(base + "/*", ViewerRoutes::secure);
    routes.get(base + "/", ctx -> page(ctx, files, base));
    for (String name : files.names()) {
      routes.get(base + "/" + name, ctx -> files.serve(ctx, name));
    }
    routes.get(base + API + "/status", this::status);
  }

  /** The page's own links are relative, so it must be asked for with its trailing slash. */
  private static void page(Context ctx, WebFiles files, String base) {
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
                + "form-action 'none'; frame-ancestors 'self'");
  }

  private void status(Context ctx) {
    ctx.header("Cache-Control", "no-store");
    Replies.json(ctx, statusOf(session.status()));
  }

  private static Map<String, Object> statusOf(TraceSession.Status status) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("api", 1);
    switch (status) {
      case TraceSession.Reading reading -> {
        json.put("state", "reading");
        json.put("step", reading.step());
        json.put("fraction", reading.fraction());
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

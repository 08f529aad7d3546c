package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Profile;
import dev.gmptrace.analyzer.stats.ProfileType;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Profiles of a window and a choice of goroutines: as a flame graph, for pprof, as folded stacks.
 */
final class ProfileApi {
  private static final int TOP = 200;

  /** A node below this share of the whole is less than a pixel on any screen. */
  private static final double TOO_SMALL = 1.0 / 8000;

  private static Profile profile(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    return Profile.of(trace, ProfileType.of(query.text("type", "sched")), query.goroutines());
  }

  void flame(Context ctx, Trace trace) {
    Profile profile = profile(ctx, trace);
    Profile.Node root = profile.root();
    long smallest = (long) (root.total() * TOO_SMALL);
    Replies.json(
        ctx,
        Map.of(
            "type", profile.type().id(),
            "unit", "ns",
            "total", profile.total(),
            "count", profile.count(),
            "root", pruned(root, smallest),
            "top", profile.top(TOP).stream().map(ProfileApi::row).toList()));
  }

  private static Map<String, Object> row(Profile.Row r) {
    return Map.of(
        "name", r.function(),
        "file", r.file(),
        "line", r.line(),
        "self", r.flat(),
        "total", r.cum(),
        "count", r.cumCount());
  }

  private static Profile.Node pruned(Profile.Node node, long smallest) {
    List<Profile.Node> children =
        node.children().stream()
            .filter(child -> child.total() > smallest)
            .map(child -> pruned(child, smallest))
            .toList();
    return new Profile.Node(
        node.name(), node.file(), node.line(), node.self(), node.total(), node.count(), children);
  }

  void pprof(Context ctx, Trace trace) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    profile(ctx, trace).writePprof(out);
    // Compressed by its own format, so not by ours.
    ctx.contentType("application/octet-stream").result(out.toByteArray());
  }

  void folded(Context ctx, Trace trace) {
    StringBuilder out = new StringBuilder();
    profile(ctx, trace).writeFolded(out);
    Replies.bytes(
        ctx, "text/plain; charset=utf-8", out.toString().getBytes(StandardCharsets.UTF_8));
  }
}

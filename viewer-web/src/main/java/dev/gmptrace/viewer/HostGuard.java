package dev.gmptrace.viewer;

import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other web pages from reading a trace through the user's own browser.
 *
 * <p>A page from elsewhere can point a name it controls at 127.0.0.1 (DNS rebinding) and would then
 * be of "the same origin" as the viewer. It cannot choose the {@code Host} header, though: that
 * still says its own name. So a request is answered only if its host is a loopback name, an IP
 * literal (which no one can rebind), or the very name the user asked to listen on. Requests that
 * the browser itself marks as coming from another site are refused too; no CORS header is ever
 * sent.
 */
final class HostGuard {
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  private final ListenAddress address;

  HostGuard(ListenAddress address) {
    this.address = address;
  }

  void check(Context ctx) {
    String host = ctx.header("Host");
    if (!isAllowed(host)) {
      throw new ForbiddenResponse(
          "This viewer does not answer to the host name "
              + host
              + ", because another site could have sent you here under it. Open it by its IP address"
              + " or as localhost, or have it listen on that name: --http "
              + (host == null || host.isEmpty() ? "NAME:PORT" : host));
    }
    if (isForeign(ctx.header("Sec-Fetch-Site"), ctx.header("Sec-Fetch-Mode"))) {
      throw new ForbiddenResponse("This viewer does not answer requests from other sites");
    }
  }

  boolean isAllowed(@Nullable String hostHeader) {
    if (hostHeader == null || hostHeader.isEmpty()) {
      return false;
    }
    String host = hostHeader.toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) {
      return host.indexOf(']') > 0;
    }
    int colon = host.lastIndexOf(':');
    String name = colon < 0 ? host : host.substring(0, colon);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || IPV4.matcher(name).matches()
        || name.equals(address.host().toLowerCase(Locale.ROOT));
  }

  /** A link followed from elsewhere is fine (the other page sees nothing); a fetch is not. */
  private static boolean isForeign(@Nullable String site, @Nullable String mode) {
    return "cross-site".equals(site) && !"navigate".equals(mode);
  }
}

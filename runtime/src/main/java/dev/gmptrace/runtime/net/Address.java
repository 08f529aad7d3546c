package dev.gmptrace.runtime.net;

import dev.gmptrace.runtime.sched.Syscalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Addresses as Go writes them: {@code host:port}, {@code [::1]:port}, {@code unix:/path}. */
final class Address {
  private static final String UNIX = "unix:";

  private Address() {}

  /**
   * Understands an address; a name is looked up, and may stand for several, at least one.
   *
   * @param toListen an empty host means all interfaces; else the machine itself
   * @throws IOException when the host is unknown
   */
  static List<SocketAddress> parse(String address, boolean toListen) throws IOException {
    if (address.startsWith(UNIX)) {
      return List.of(UnixDomainSocketAddress.of(address.substring(UNIX.length())));
    }
    int colon = address.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("address " + address + ": missing port in address");
    }
    int port;
    try {
      port = Integer.parseInt(address.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("address " + address + ": invalid port", e);
    }
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("address " + address + ": invalid port");
    }
    String host = address.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty()) {
      return List.of(
          toListen
              ? new InetSocketAddress(port)
              : new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    List<SocketAddress> all = new ArrayList<>();
    for (InetAddress a : lookUp(host)) {
      all.add(new InetSocketAddress(a, port));
    }
    return all;
  }

  private static InetAddress[] lookUp(String host) throws IOException {
    Syscalls.entersyscall(); // the resolver blocks its thread
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new UnknownHostException("lookup " + host + ": no such host");
    } finally {
      Syscalls.exitsyscall();
    }
  }

  static String text(@Nullable SocketAddress a) {
    return switch (a) {
      case null -> "?";
      case InetSocketAddress i -> {
        String host = i.getAddress() == null ? i.getHostString() : i.getAddress().getHostAddress();
        yield (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + i.getPort();
      }
      default -> UNIX + a;
    };
  }

  static String network(@Nullable SocketAddress a) {
    return a instanceof UnixDomainSocketAddress ? "unix" : "tcp";
  }
}

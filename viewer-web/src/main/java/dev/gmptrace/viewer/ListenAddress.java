package dev.gmptrace.viewer;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where the viewer listens. A trace shows what a program does inside, so nothing but this machine
 * can read it unless an address is named: {@code :6060}, {@code 6060} and {@code localhost:6060}
 * all bind the loopback interface only; {@code 0.0.0.0:6060} or {@code 192.168.1.5:6060} is the
 * explicit wish for more.
 *
 * @param host host name or address to bind
 * @param port port, 0 for any free one
 */
public record ListenAddress(String host, int port) {
  public static final String LOOPBACK = "localhost";

  public ListenAddress {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not in 0..65535");
    }
  }

  /** Any free port of the loopback interface. */
  public static ListenAddress loopback() {
    return new ListenAddress(LOOPBACK, 0);
  }

  /** Reads {@code :port}, {@code port}, {@code host:port} or {@code [ipv6]:port}. */
  public static ListenAddress parse(String text) {
    String trimmed = text.trim();
    int colon = trimmed.lastIndexOf(':');
    String host = colon < 0 ? "" : trimmed.substring(0, colon);
    String port = trimmed.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw notAnAddress(text);
    }
    try {
      return new ListenAddress(host.isEmpty() ? LOOPBACK : host, Integer.parseInt(port));
    } catch (NumberFormatException e) {
      throw notAnAddress(text);
    }
  }

  private static IllegalArgumentException notAnAddress(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not an address; write :PORT for this machine only, or HOST:PORT");
  }

  /** Whether only this machine can reach the address. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** The host as it is written in a URL. */
  String hostInUrl() {
    if (host.indexOf(':') >= 0) {
      return "[" + host + "]";
    }
    return host.equals("0.0.0.0") ? LOOPBACK : host;
  }
}

package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the sidecar listens: {@code tcp://host:port}, {@code tls://host:port} or {@code
 * unix:///path}. Immutable.
 */
public final class SidecarAddress {
  /**
   * Longest path of a Unix domain socket: {@code sun_path} has 108 bytes on Linux, one for the 0.
   */
  private static final int MAX_PATH_LENGTH = 107;

  private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

  /** Not by URI, which takes no host with an underscore, as Compose has them; resolvers do. */
  private static final Pattern NET =
      Pattern.compile("(tcp|tls)://(\\[[\\w:.%]+]|[^\\s/:@?#\\[\\]]+):(\\d{1,5})");

  private enum Kind {
    TCP,
    TLS,
    UNIX
  }

  private final Kind kind;
  private final String text;
  private final String hostOrPath;
  private final int port;

  private SidecarAddress(Kind kind, String text, String hostOrPath, int port) {
    this.kind = kind;
    this.text = text;
    this.hostOrPath = hostOrPath;
    this.port = port;
  }

  /**
   * Reads an address. Names are looked up when connecting, each time anew.
   *
   * @throws IllegalArgumentException when it has none of these forms; the message shows them
   */
  public static SidecarAddress parse(String text) {
    try {
      URI uri = new URI(text);
      Matcher net = NET.matcher(text);
      int port = net.matches() ? Integer.parseInt(net.group(3)) : 0;
      if (port >= 1 && port <= 65535) {
        Kind kind = net.group(1).equals("tls") ? Kind.TLS : Kind.TCP;
        return new SidecarAddress(kind, text, net.group(2), port);
      }
      if ("unix".equals(uri.getScheme()) && isUnix(uri)) {
        return new SidecarAddress(Kind.UNIX, text, uri.getPath(), 0);
      }
    } catch (URISyntaxException e) {
      throw expected(text, e);
    }
    throw expected(text, null);
  }

  private static boolean isUnix(URI uri) {
    return uri.getAuthority() == null
        && uri.getPath() != null
        && uri.getPath().length() > 1
        && uri.getPath().startsWith("/")
        && uri.getPath().length() <= MAX_PATH_LENGTH
        && uri.getQuery() == null;
  }

  private static IllegalArgumentException expected(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "address must be tcp://host:port, tls://host:port or unix:///path (at most "
            + MAX_PATH_LENGTH
            + " characters): "
            + text,
        cause);
  }

  /**
   * The address to connect to; looks a host name up, which may take the resolver's time.
   *
   * @param attempt how often this was asked before: a host with several addresses gives each in
   *     turn
   */
  SocketAddress resolve(int attempt) throws IOException {
    if (kind == Kind.UNIX) {
      return UnixDomainSocketAddress.of(hostOrPath);
    }
    InetAddress[] addresses = InetAddress.getAllByName(hostOrPath);
    return new InetSocketAddress(addresses[Math.floorMod(attempt, addresses.length)], port);
  }

  /** Whether {@link #resolve} has to ask somebody: it has a host name and not a number. */
  boolean needsLookup() {
    return kind != Kind.UNIX && !hostOrPath.startsWith("[") && !IPV4.matcher(hostOrPath).matches();
  }

  boolean isUnixSocket() {
    return kind == Kind.UNIX;
  }

  /** Whether what is sent there is encrypted. */
  public boolean isTls() {
    return kind == Kind.TLS;
  }

  /** The host as written, for TLS to compare with the certificate: IPv6 without its brackets. */
  public String host() {
    return hostOrPath.startsWith("[")
        ? hostOrPath.substring(1, hostOrPath.length() - 1)
        : hostOrPath;
  }

  int port() {
    return port;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SidecarAddress that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}

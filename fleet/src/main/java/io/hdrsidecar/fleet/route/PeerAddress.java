package io.hdrsidecar.fleet.route;

/**
 * Where another node answers HTTP.
 *
 * @param host name or address; of IPv6 without brackets
 */
public record PeerAddress(String host, int port) {
  /**
   * Reads {@code host:port}, as {@code node.address} has it.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static PeerAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    String port = text.substring(colon + 1);
    boolean isBracketed = host.startsWith("[") && host.endsWith("]");
    String bare = isBracketed ? host.substring(1, host.length() - 1) : host;
    boolean isHost = bare.matches("[\\w.-]+") || (isBracketed && bare.matches("[0-9A-Fa-f:.%]+"));
    if (!isHost || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65535) {
      throw new IllegalArgumentException(
          "must be host:port, such as node-1.example.org:9925 or [fd00::1]:9925: " + text);
    }
    return new PeerAddress(bare, Integer.parseInt(port));
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}

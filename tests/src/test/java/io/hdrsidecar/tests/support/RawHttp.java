package io.hdrsidecar.tests.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HTTP as written by hand, for requests that no client would send. */
public final class RawHttp {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  private RawHttp() {}

  /** A connection to a server on this machine. */
  public static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  /**
   * Sends one request on a connection of its own.
   *
   * @param requestLine such as {@code GET /metrics}
   * @param headers each such as {@code Host: localhost}
   * @return the answer, head and body, as it came
   */
  public static String exchange(int port, String requestLine, List<String> headers, String body)
      throws IOException {
    StringBuilder request = new StringBuilder(requestLine).append(" HTTP/1.1\r\n");
    headers.forEach(header -> request.append(header).append("\r\n"));
    if (!body.isEmpty()) {
      request.append("Content-Length: ").append(body.length()).append("\r\n");
    }
    request.append("Connection: close\r\n\r\n").append(body);
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Its status code. */
  public static int status(String answer) {
    Matcher status = STATUS.matcher(answer);
    if (!status.lookingAt()) {
      throw new AssertionError("no answer: " + answer);
    }
    return Integer.parseInt(status.group(1));
  }
}

package io.hdrsidecar.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the other end of a connection sees of each fault. */
@Timeout(60)
final class CutProxyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long CUT_WAIT_MILLIS = 30_000;

  private ServerSocket listener;
  private CutProxy proxy;
  private Socket client;
  private Socket server;
  private ProxiedConnection connection;

  @BeforeEach
  void connect() throws Exception {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    proxy = CutProxy.tcp(() -> Optional.of(listener.getLocalSocketAddress()));
    int port = Integer.parseInt(proxy.address().replaceAll(".*:", ""));
    client = new Socket();
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    server = listener.accept();
    connection = proxy.awaitConnection(PATIENCE);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
    proxy.close();
    listener.close();
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String hear(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
  }

  private static String hearAll(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
  }

  @Test
  void forward_bothWays_passesBytesAndTheEndOfEach() throws Exception {
    say(client, "up");
    assertThat(hear(server, 2)).isEqualTo("up");
    say(server, "down");
    server.shutdownOutput();
    assertThat(hearAll(client)).isEqualTo("down");
    client.shutdownOutput();
    assertThat(hearAll(server)).isEmpty();
  }

  @Test
  void cut_after5BytesUp_passes5BytesAndEnds() throws Exception {
    connection.cut(2 + 4 * 4);
    say(client, "0123456789");

    assertThat(hearAll(server)).isEqualTo("01234");
    connection.awaitEnd(CUT_WAIT_MILLIS);
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void cut_atOnce_endsBothSides() throws Exception {
    connection.cut(0);

    assertThat(hearAll(server)).isEmpty();
    assertThat(hearAll(client)).isEmpty();
  }

  @Test
  void slow_bothWays_passesEveryByte() throws Exception {
    String text = "0123456789".repeat(50);

    connection.slow(0, true);
    say(client, text);
    assertThat(hear(server, text.length())).isEqualTo(text);
    connection.slow(0, false);
    say(server, text);
    assertThat(hear(client, text.length())).isEqualTo(text);
  }

  @Test
  void halfOpen_bothWaysWithBytesThatVanish_passesNothingMore() throws Exception {
    int vanishBothWays = 1;
    say(client, "a");
    assertThat(hear(server, 1)).isEqualTo("a");

    connection.halfOpen(vanishBothWays);
    say(client, "b");
    client.close();
    connection.endHalfOpen(vanishBothWays);

    assertThat(hearAll(server)).isEmpty();
  }

  @Test
  void halfOpen_bothWaysWithBytesHeldBack_lastBytesArriveAfterTheirSenderHasGone()
      throws Exception {
    int heldBothWays = 0;
    say(client, "a");
    assertThat(hear(server, 1)).isEqualTo("a");

    connection.halfOpen(heldBothWays);
    say(client, "late");
    client.close();
    Eventually.holds(() -> assertThat(connection.heldBytes()).isEqualTo(4));
    connection.endHalfOpen(heldBothWays);

    assertThat(hearAll(server)).isEqualTo("late");
  }
}

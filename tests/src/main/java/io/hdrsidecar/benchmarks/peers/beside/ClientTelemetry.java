package io.hdrsidecar.benchmarks.peers.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes what java-dogstatsd-client says about itself each second, and adds up the bytes sent. */
final class ClientTelemetry implements AutoCloseable {
  private static final Pattern BYTES_SENT =
      Pattern.compile("datadog\\.dogstatsd\\.client\\.bytes_sent:(\\d+)\\|c");

  private final DatagramChannel channel = DatagramChannel.open();
  private final AtomicLong bytes = new AtomicLong();

  ClientTelemetry() throws IOException {
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread thread = new Thread(this::receive, "telemetry");
    thread.setDaemon(true);
    thread.start();
  }

  private void receive() {
    ByteBuffer datagram = ByteBuffer.allocate(1 << 16);
    try {
      while (true) {
        channel.receive(datagram.clear());
        Matcher sent = BYTES_SENT.matcher(StandardCharsets.UTF_8.decode(datagram.flip()));
        while (sent.find()) {
          bytes.addAndGet(Long.parseLong(sent.group(1)));
        }
      }
    } catch (AsynchronousCloseException e) {
      // close() was called.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return channel.socket().getLocalPort();
  }

  long bytes() {
    return bytes.get();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

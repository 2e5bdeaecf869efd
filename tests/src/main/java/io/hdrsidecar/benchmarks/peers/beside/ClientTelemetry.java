package io.hdrsidecar.benchmarks.peers.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes what java-dogstatsd-client says about itself each second, and adds it up. */
final class ClientTelemetry implements Wire {
  private static final Pattern COUNTER =
      Pattern.compile(
          "datadog\\.dogstatsd\\.client\\."
              + "(?<name>bytes_sent|packets_dropped|packets_dropped_queue):(?<count>\\d+)\\|c");

  /** The client says all once a second. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DatagramChannel channel = DatagramChannel.open();
  private long bytes; // guarded by this, as all below
  private long droppedInQueue;
  private long droppedPackets;
  private int reports;

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
        add(StandardCharsets.UTF_8.decode(datagram.flip()));
      }
    } catch (AsynchronousCloseException e) {
      // close() was called.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes lines of one datagram; those of other counters say nothing here. */
  synchronized void add(CharSequence lines) {
    Matcher counter = COUNTER.matcher(lines);
    while (counter.find()) {
      long count = Long.parseLong(counter.group("count"));
      switch (counter.group("name")) {
        case "bytes_sent" -> bytes += count;
        case "packets_dropped" -> droppedPackets += count;
        default -> { // what is said of a packet there is of a message; the last of a report
          droppedInQueue += count;
          reports++;
        }
      }
    }
    notifyAll();
  }

  /** Waits until the client has said all once more; not longer than five seconds. */
  @Override
  public synchronized void awaitFigures() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    int before = reports;
    while (reports == before && System.nanoTime() - deadline < 0) {
      wait(100);
    }
  }

  @Override
  public int telemetryPort() {
    return channel.socket().getLocalPort();
  }

  @Override
  public synchronized long bytes() {
    return bytes;
  }

  @Override
  public synchronized ClientLosses losses() {
    return new ClientLosses(droppedInQueue, droppedPackets);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

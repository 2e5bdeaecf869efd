package io.hdrsidecar.benchmarks.footprint;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Anything that takes StatsD timers over UDP, with the labels of DogStatsD. */
final class StatsdTarget implements SeriesLoad.Target {
  /** As StatsD's clients do: no more than fits into one frame of Ethernet. */
  private static final int MOST_BYTES = 1400;

  private final DatagramChannel channel = DatagramChannel.open();
  private final ByteBuffer datagram = ByteBuffer.allocate(MOST_BYTES);

  StatsdTarget(URI address) throws IOException {
    channel.connect(new InetSocketAddress(address.getHost(), address.getPort()));
  }

  @Override
  public void record(int series, long nanos) throws IOException {
    byte[] line =
        String.format(Locale.ROOT, "footprint:%.3f|ms|#n:%d\n", nanos / 1e6, series)
            .getBytes(StandardCharsets.US_ASCII);
    if (datagram.remaining() < line.length) {
      endTurn();
    }
    datagram.put(line);
  }

  @Override
  public void endTurn() throws IOException {
    datagram.flip();
    if (datagram.hasRemaining()) {
      channel.write(datagram);
    }
    datagram.clear();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

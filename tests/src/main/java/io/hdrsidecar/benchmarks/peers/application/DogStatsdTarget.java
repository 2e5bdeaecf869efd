package io.hdrsidecar.benchmarks.peers.application;

import com.timgroup.statsd.NonBlockingStatsDClientBuilder;
import com.timgroup.statsd.StatsDClient;

/**
 * java-dogstatsd-client, a line for each value: its aggregation is for counters, gauges and sets.
 * Values travel as whole nanoseconds, so that writing them rounds nothing. Queue and packets are
 * larger than by default, as somebody would set them who sends this much: with 4,096 messages and
 * 1,432 bytes it loses events at 100,000/s already.
 */
final class DogStatsdTarget implements EventTarget {
  private static final int TELEMETRY_MILLIS = 1000;

  /** Messages; the loop hands over those of a millisecond or more at once. */
  private static final int QUEUE = 1 << 20;

  /**
   * As much as the client puts into a Unix datagram by default; loopback takes it over UDP, too.
   */
  private static final int PACKET_BYTES = 8192;

  private final StatsDClient client;
  private final String[][] tags;

  /**
   * @param address {@code udp://127.0.0.1:1234} or {@code unixgram:///path}
   * @param telemetryPort UDP port on loopback that takes the client's figures about itself
   */
  DogStatsdTarget(String address, int telemetryPort, int series) {
    this.client =
        new NonBlockingStatsDClientBuilder()
            .address(address)
            .telemetryAddress("udp://127.0.0.1:" + telemetryPort)
            .queueSize(QUEUE)
            .maxPacketSizeBytes(PACKET_BYTES)
            .telemetryFlushInterval(TELEMETRY_MILLIS)
            .originDetectionEnabled(false) // it would add the id of a container to every line
            .build();
    this.tags = new String[series][];
    for (int n = 0; n < series; n++) {
      tags[n] = new String[] {LABEL + ":" + n};
    }
  }

  @Override
  public void record(int series, long nanos) {
    client.recordHistogramValue(NAME, nanos, tags[series]);
  }

  @Override
  public void close() {
    client.close();
  }
}

package io.hdrsidecar.benchmarks.peers.application;

import com.timgroup.statsd.NonBlockingStatsDClientBuilder;
import com.timgroup.statsd.StatsDClient;

/**
 * java-dogstatsd-client with its defaults, a line for each value: its aggregation is for counters,
 * gauges and sets. Values travel as whole nanoseconds, so that writing them rounds nothing.
 */
final class DogStatsdTarget implements EventTarget {
  private static final int TELEMETRY_MILLIS = 1000;

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

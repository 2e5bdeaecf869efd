package io.hdrsidecar.benchmarks.peers.application;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;

/** client-lib with its defaults: 3 digits, an interval a second. */
final class HdrSidecarTarget implements EventTarget {
  private final HdrSidecarClient client;
  private final LatencyRecorder[] recorders;

  HdrSidecarTarget(String address, int series) {
    this.client =
        HdrSidecarClient.create(
            ClientConfig.builder().address(address).maxSeries(series + 1).build());
    this.recorders = new LatencyRecorder[series];
    for (int n = 0; n < series; n++) {
      recorders[n] = client.recorder(NAME, Labels.of(LABEL, Integer.toString(n)));
    }
  }

  @Override
  public void record(int series, long nanos) {
    recorders[series].record(nanos);
  }

  @Override
  public void close() {
    client.close();
  }
}

package io.hdrsidecar.benchmarks.footprint;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;

/** The sidecar, through client-lib. */
final class ClientTarget implements SeriesLoad.Target {
  private final HdrSidecarClient client;
  private final LatencyRecorder[] recorders;

  ClientTarget(String address, int series) {
    this.client =
        HdrSidecarClient.create(
            ClientConfig.builder().address(address).maxSeries(series + 1).build());
    this.recorders = new LatencyRecorder[series];
    for (int n = 0; n < series; n++) {
      recorders[n] = client.recorder("footprint", Labels.of("n", Integer.toString(n)));
    }
  }

  @Override
  public void record(int series, long nanos) {
    recorders[series].record(nanos);
  }

  @Override
  public void endTurn() {}

  @Override
  public void close() {
    client.close();
  }
}

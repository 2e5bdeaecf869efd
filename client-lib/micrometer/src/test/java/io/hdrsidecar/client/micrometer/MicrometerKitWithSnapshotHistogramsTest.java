package io.hdrsidecar.client.micrometer;

/** Micrometer's compatibility kit, all of it, with Micrometer's histograms switched on. */
class MicrometerKitWithSnapshotHistogramsTest extends MicrometerKit {
  @Override
  HdrSidecarRegistryConfig config() {
    return HdrSidecarRegistryConfig.defaults().withSnapshotHistograms(true);
  }
}

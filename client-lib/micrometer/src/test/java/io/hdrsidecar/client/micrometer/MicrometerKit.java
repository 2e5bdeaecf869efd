package io.hdrsidecar.client.micrometer;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.tck.MeterRegistryCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Micrometer's kit over a real client that discards; what is delivered is tested elsewhere. */
abstract class MicrometerKit extends MeterRegistryCompatibilityKit {
  private final HdrSidecarClient client =
      HdrSidecarClient.create(ClientConfig.builder().enabled(false).shutdownHook(false).build());

  abstract HdrSidecarRegistryConfig config();

  @Override
  public MeterRegistry registry() {
    return new HdrSidecarMeterRegistry(client, config(), new MockClock());
  }

  @Override
  public Duration step() {
    return config().step();
  }

  @AfterEach
  void closeClient() {
    registry.close();
    client.close();
  }
}

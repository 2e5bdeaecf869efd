package shop;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The client, and the registry that Quarkus puts beside its others. */
@Dependent
public class HdrSidecar {
  @Produces
  @Singleton
  HdrSidecarClient client() {
    return HdrSidecarClient.fromEnvironment();
  }

  void close(@Disposes HdrSidecarClient client) {
    client.close();
  }

  @Produces
  @Singleton
  HdrSidecarMeterRegistry registry(HdrSidecarClient client) {
    return new HdrSidecarMeterRegistry(client);
  }
}

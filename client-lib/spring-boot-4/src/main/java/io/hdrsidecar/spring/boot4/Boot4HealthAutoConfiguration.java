package io.hdrsidecar.spring.boot4;

import io.hdrsidecar.client.ClientHealth;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.internal.spring.HdrSidecarClientAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Shows in the application's health whether the sidecar is there. It never says DOWN: an
 * application does its work without a sidecar, and a restart would not bring it back.
 */
@AutoConfiguration(after = HdrSidecarClientAutoConfiguration.class)
@ConditionalOnEnabledHealthIndicator("hdrsidecar")
class Boot4HealthAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = "hdrSidecarHealthIndicator")
  HealthIndicator hdrSidecarHealthIndicator(HdrSidecarClient client) {
    return () -> health(client.health());
  }

  private static Health health(ClientHealth health) {
    return (health.connected() ? Health.up() : Health.unknown())
        .withDetail("connected", health.connected())
        .withDetail("acknowledgedValues", health.acknowledgedValues())
        .withDetail("lostValues", health.lostValues())
        .build();
  }
}

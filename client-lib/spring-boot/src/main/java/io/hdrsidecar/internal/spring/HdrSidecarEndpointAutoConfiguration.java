package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.HdrSidecarClient;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator's endpoint {@code hdrsidecar}, where it is exposed. */
@AutoConfiguration(after = HdrSidecarClientAutoConfiguration.class)
@ConditionalOnAvailableEndpoint(endpoint = HdrSidecarEndpoint.class)
public class HdrSidecarEndpointAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  HdrSidecarEndpoint hdrSidecarEndpoint(HdrSidecarClient client) {
    return new HdrSidecarEndpoint(client);
  }
}

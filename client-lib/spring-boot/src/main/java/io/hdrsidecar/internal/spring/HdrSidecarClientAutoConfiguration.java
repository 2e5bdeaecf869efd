package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;

/**
 * The client as a bean. It is there also when nothing is to be sent, and discards then: what asks
 * for it, or for a recorder, must not need another set of beans in a test.
 */
@AutoConfiguration
@EnableConfigurationProperties(HdrSidecarProperties.class)
public class HdrSidecarClientAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean({HdrSidecarClient.class, HdrSidecarMeterRegistry.class})
  HdrSidecarClient hdrSidecarClient(HdrSidecarProperties properties, Environment environment) {
    return HdrSidecarClient.create(new ClientSettings(properties, environment).toConfig());
  }

  /** Of a registry that the application made: a second client would measure pauses twice. */
  @Bean(name = "hdrSidecarClient", destroyMethod = "")
  @ConditionalOnMissingBean
  @ConditionalOnBean(HdrSidecarMeterRegistry.class)
  HdrSidecarClient clientOfRegistry(HdrSidecarMeterRegistry registry) {
    return registry.client();
  }

  @Bean
  static RecorderInjection hdrSidecarRecorderInjection() {
    return new RecorderInjection();
  }

  @Bean
  @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
  NamedRecorder hdrSidecarNamedRecorder(InjectionPoint asking, HdrSidecarClient client) {
    return NamedRecorder.of(asking, client);
  }
}

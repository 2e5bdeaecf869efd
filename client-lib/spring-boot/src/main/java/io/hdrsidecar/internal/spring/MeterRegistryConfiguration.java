package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import io.hdrsidecar.client.micrometer.HdrSidecarRegistryConfig;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.tracing.Tracer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The registry, imported by each starter under the conditions that its Boot names. */
@Configuration(proxyBeanMethods = false)
public class MeterRegistryConfiguration {
  @Bean
  @ConditionalOnMissingBean
  HdrSidecarMeterRegistry hdrSidecarMeterRegistry(
      HdrSidecarClient client,
      HdrSidecarProperties properties,
      Clock clock,
      ObjectProvider<ValueRecording> recording) {
    HdrSidecarMeterRegistry registry =
        new HdrSidecarMeterRegistry(
            client,
            HdrSidecarRegistryConfig.defaults(),
            clock,
            recording.getIfAvailable(() -> LatencyRecorder::record));
    if (!properties.activeLongTaskTimers()) {
      registry.config().meterFilter(MeterFilter.deny(MeterRegistryConfiguration::isActiveTasks));
    }
    return registry;
  }

  private static boolean isActiveTasks(Meter.Id id) {
    return id.getType() == Meter.Type.LONG_TASK_TIMER && id.getName().endsWith(".active");
  }

  /** With Micrometer Tracing on the class path. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Tracer.class)
  static class Exemplars {
    @Bean
    TracedRecording hdrSidecarTracedRecording(ObjectProvider<Tracer> tracer) {
      return new TracedRecording(tracer);
    }
  }
}

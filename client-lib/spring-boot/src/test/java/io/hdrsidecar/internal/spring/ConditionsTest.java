package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** When the auto-configuration does what. */
class ConditionsTest {
  private static final String HEALTH = "hdrSidecarHealthIndicator";

  private final ApplicationContextRunner application = Applications.plain();

  @Test
  void starterAlone_hasClientRegistryAndHealth_andNoOtherRegistry() {
    application.run(
        context -> {
          assertThat(context).hasSingleBean(HdrSidecarClient.class);
          assertThat(context).hasBean(HEALTH);
          assertThat(context.getBean(MeterRegistry.class))
              .isInstanceOf(HdrSidecarMeterRegistry.class);
          assertThat(context.getBean(HdrSidecarMeterRegistry.class).client())
              .isSameAs(context.getBean(HdrSidecarClient.class));
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdr-sidecar.enabled=false",
        "hdr-sidecar.enabled=off",
        "hdr-sidecar.enabled=0",
        "management.hdr-sidecar.metrics.export.enabled=false",
        "management.defaults.metrics.export.enabled=false"
      })
  void switchedOff_hasNoRegistry_andAClientForWhatAsksForOne(String property) {
    application
        .withPropertyValues(property)
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(HdrSidecarMeterRegistry.class);
              assertThat(context).hasSingleBean(HdrSidecarClient.class);
            });
  }

  /** As Boot's binder reads a truth. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "on", "yes", "1"})
  void switchedOn_inAnyOfBootsWords_hasTheRegistry(String word) {
    application
        .withPropertyValues("hdr-sidecar.enabled=" + word)
        .run(context -> assertThat(context).hasSingleBean(HdrSidecarMeterRegistry.class));
  }

  @Test
  void switch_thatIsNoTruth_isNamed() {
    application
        .withPropertyValues("hdr-sidecar.enabled=maybe")
        .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("maybe"));
  }

  @Test
  void defaultsOff_andOwnSwitchOn_hasTheRegistry() {
    application
        .withPropertyValues(
            "management.defaults.metrics.export.enabled=false",
            "management.hdr-sidecar.metrics.export.enabled=true")
        .run(context -> assertThat(context).hasSingleBean(HdrSidecarMeterRegistry.class));
  }

  @Test
  void withoutBootsMetrics_hasNoRegistry() {
    application
        .withPropertyValues(
            "spring.autoconfigure.exclude="
                + Applications.autoConfiguration("MetricsAutoConfiguration"))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean(HdrSidecarMeterRegistry.class);
            });
  }

  @Test
  void besideAnotherRegistry_isPartOfTheComposite() {
    application
        .withUserConfiguration(OtherRegistry.class)
        .run(
            context ->
                assertThat(context.getBean(MeterRegistry.class))
                    .isInstanceOfSatisfying(
                        CompositeMeterRegistry.class,
                        composite ->
                            assertThat(composite.getRegistries())
                                .containsExactlyInAnyOrder(
                                    context.getBean(SimpleMeterRegistry.class),
                                    context.getBean(HdrSidecarMeterRegistry.class))));
  }

  @Test
  void clientOfTheApplication_isUsedByOurRegistry() {
    application
        .withUserConfiguration(OwnClient.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(HdrSidecarClient.class).hasBean("own");
              assertThat(context.getBean(HdrSidecarMeterRegistry.class).client())
                  .isSameAs(context.getBean("own"));
            });
  }

  @Test
  void registryOfTheApplication_isTheOnlyOne_andItsClientTheOnlyClient() {
    application
        .withUserConfiguration(OwnRegistry.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(HdrSidecarMeterRegistry.class).hasBean("own");
              assertThat(context.getBean(HdrSidecarClient.class))
                  .isSameAs(context.getBean(HdrSidecarMeterRegistry.class).client());
            });
  }

  @Test
  void withoutTracingOnTheClassPath_hasTheRegistry() {
    application
        .withClassLoader(new FilteredClassLoader(Tracer.class))
        .run(
            context -> {
              assertThat(context).hasSingleBean(HdrSidecarMeterRegistry.class);
              assertThat(context).doesNotHaveBean(TracedRecording.class);
            });
  }

  @Test
  void endpoint_isThereWhenExposed() {
    application.run(context -> assertThat(context).doesNotHaveBean(HdrSidecarEndpoint.class));
    application
        .withPropertyValues("management.endpoints.web.exposure.include=hdrsidecar")
        .run(context -> assertThat(context).hasSingleBean(HdrSidecarEndpoint.class));
  }

  @Test
  void health_switchedOff_isNotThere() {
    application
        .withPropertyValues("management.health.hdrsidecar.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HEALTH));
  }

  private static ClientConfig sendsNothing() {
    return ClientConfig.builder().enabled(false).shutdownHook(false).build();
  }

  @Configuration(proxyBeanMethods = false)
  static class OtherRegistry {
    @Bean
    SimpleMeterRegistry other() {
      return new SimpleMeterRegistry();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnClient {
    @Bean
    HdrSidecarClient own() {
      return HdrSidecarClient.create(sendsNothing());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnRegistry {
    @Bean
    HdrSidecarMeterRegistry own() {
      return HdrSidecarMeterRegistry.create(sendsNothing());
    }
  }
}

package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Recorders for those who ask by name. */
class RecorderInjectionTest {
  private final ApplicationContextRunner application = Applications.plain();

  @Test
  void parametersAndFields_haveTheRecorderOfTheirName() {
    application
        .withBean(Till.class)
        .run(
            context -> {
              Till till = context.getBean(Till.class);
              HdrSidecarClient client = context.getBean(HdrSidecarClient.class);
              assertThat(till.checkout).isSameAs(client.recorder("checkout"));
              assertThat(till.refund).isSameAs(client.recorder("till_refund"));
              assertThat(till.audit).isSameAs(client.recorder("audit"));
              assertThat(till.later.getObject()).isSameAs(client.recorder("later"));
            });
  }

  @Test
  void nothingIsSent_theyAreThereAllTheSame() {
    application
        .withBean(Till.class)
        .withPropertyValues("management.defaults.metrics.export.enabled=false")
        .run(context -> assertThat(context.getBean(Till.class).checkout).isNotNull());
  }

  @Test
  void recordersOfTheApplication_areTheOnlyOnes() {
    application
        .withUserConfiguration(OwnRecorder.class)
        .run(
            context ->
                assertThat(context.getBean(Audit.class).recorder())
                    .isSameAs(context.getBean(LatencyRecorder.class)));
  }

  static class Till {
    final LatencyRecorder checkout;
    final LatencyRecorder refund;
    final ObjectProvider<LatencyRecorder> later;
    @Autowired LatencyRecorder audit;

    Till(
        LatencyRecorder checkout,
        @Qualifier("till.refund") LatencyRecorder other,
        ObjectProvider<LatencyRecorder> later) {
      this.checkout = checkout;
      this.refund = other;
      this.later = later;
    }
  }

  record Audit(LatencyRecorder recorder) {}

  @Configuration(proxyBeanMethods = false)
  static class OwnRecorder {
    @Bean
    LatencyRecorder mine(HdrSidecarClient client) {
      return client.recorder("mine");
    }

    @Bean
    Audit audit(LatencyRecorder recorder) {
      return new Audit(recorder);
    }
  }
}

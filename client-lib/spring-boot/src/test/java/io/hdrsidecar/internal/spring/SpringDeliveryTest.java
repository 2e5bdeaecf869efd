package io.hdrsidecar.internal.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an application with nothing but the starter sends, over a real socket. */
class SpringDeliveryTest {
  private TestPeer peer;
  private ApplicationContextRunner application;

  @BeforeEach
  void listen() throws IOException {
    peer = TestPeer.onTcp();
    application = Applications.sendingTo(peer);
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(peer.breaches()).isEmpty();
    peer.close();
  }

  @Test
  void timers_areDelivered_atTheLatestWhenTheContextCloses() {
    application
        .withPropertyValues("hdr-sidecar.interval=1h")
        .run(context -> context.getBean(MeterRegistry.class).timer("calls").record(ofMillis(7)));

    assertThat(requireNonNull(peer.merged("calls")).max()).isEqualTo(7_000_000);
    Await.until("goodbye", () -> peer.goodbyes() == 1);
  }

  @Test
  void series_haveTheNameOfTheApplication() {
    application
        .withPropertyValues("spring.application.name=shop")
        .run(context -> context.getBean(MeterRegistry.class).timer("calls").record(ofMillis(7)));

    assertThat(peer.hellos())
        .allSatisfy(hello -> assertThat(hello.commonLabels().get("application")).isEqualTo("shop"));
  }

  @Test
  void observation_isOneSeries() {
    application.run(
        context ->
            Observation.createNotStarted("order", context.getBean(ObservationRegistry.class))
                .observe(() -> {}));

    assertThat(peer.mergedKeys())
        .anyMatch(key -> key.startsWith("order{"))
        .noneMatch(key -> key.startsWith("order_active"));
  }

  @Test
  void observation_withActiveLongTaskTimers_isTwo() {
    application
        .withPropertyValues("hdr-sidecar.active-long-task-timers=true")
        .run(
            context ->
                Observation.createNotStarted("order", context.getBean(ObservationRegistry.class))
                    .observe(() -> {}));

    assertThat(peer.mergedKeys()).anyMatch(key -> key.startsWith("order_active"));
  }

  @Test
  void hiccups_areMeasured() {
    application
        .withPropertyValues("hdr-sidecar.hiccups=true")
        .run(context -> Await.until("pauses", () -> peer.mergedKeys().contains("jvm_hiccup_raw")));
  }

  @Test
  void switchedOff_nobodyIsAsked() {
    application
        .withPropertyValues("hdr-sidecar.enabled=false", "hdr-sidecar.hiccups=true")
        .run(context -> context.getBean(MeterRegistry.class).timer("calls").record(ofMillis(7)));

    assertThat(peer.hellos()).isEmpty();
  }

  private static Duration ofMillis(long millis) {
    return Duration.ofMillis(millis);
  }
}

package io.hdrsidecar.client.micrometer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What reaches a peer over a real socket. */
class MicrometerDeliveryTest {
  private TestPeer peer;

  @BeforeEach
  void listen() throws IOException {
    peer = TestPeer.onTcp();
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(peer.breaches()).isEmpty();
    peer.close();
  }

  private ClientConfig config(Duration interval) {
    return ClientConfig.builder()
        .address(peer.address())
        .interval(interval)
        .closeTimeout(Duration.ofSeconds(20))
        .shutdownHook(false)
        .build();
  }

  @Test
  void close_ofARegistryWithItsOwnClient_deliversEverything() {
    HdrSidecarMeterRegistry registry = HdrSidecarMeterRegistry.create(config(Duration.ofHours(1)));
    Timer timer = registry.timer("calls", "route", "/pay");
    for (int i = 1; i <= 1_000; i++) {
      timer.record(Duration.ofNanos(i));
    }
    DistributionSummary.builder("size").baseUnit("bytes").register(registry).record(4_096);
    LongTaskTimer.builder("import").register(registry).start().stop();
    registry.counter("ignored").increment();

    registry.close();

    assertThat(peer.mergedKeys())
        .containsExactlyInAnyOrder("calls{route=\"/pay\"}", "size", "import");
    Accumulation calls = requireNonNull(peer.merged("calls{route=\"/pay\"}"));
    assertThat(calls.count()).isEqualTo(1_000);
    assertThat(calls.sum().low()).isEqualTo(500_500);
    assertThat(calls.min()).isEqualTo(1);
    assertThat(calls.max()).isEqualTo(1_000);
    Await.until("goodbye", () -> peer.goodbyes() == 1);
  }

  @Test
  void recording_ofTheApplication_getsEachValueInTheUnitOfItsSeries() {
    List<String> seen = new ArrayList<>();
    try (HdrSidecarClient client = HdrSidecarClient.create(config(Duration.ofMillis(50)))) {
      HdrSidecarMeterRegistry registry =
          new HdrSidecarMeterRegistry(
              client,
              HdrSidecarRegistryConfig.defaults(),
              Clock.SYSTEM,
              (recorder, value) -> {
                seen.add(recorder.name() + "=" + value);
                recorder.record(value, "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
              });
      registry.timer("calls").record(Duration.ofMillis(7));
      DistributionSummary.builder("size").baseUnit("bytes").register(registry).record(4_096);
    }

    assertThat(seen).containsExactly("calls=7000000", "size=4096");
    Exemplar exemplar = requireNonNull(requireNonNull(peer.merged("calls")).exemplar());
    assertThat(exemplar.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(exemplar.spanId()).isEqualTo("00f067aa0ba902b7");
  }

  @Test
  void remove_ofAMeter_deliversItsLastInterval() {
    try (HdrSidecarClient client = HdrSidecarClient.create(config(Duration.ofMillis(50)))) {
      HdrSidecarMeterRegistry registry = new HdrSidecarMeterRegistry(client);
      Timer timer = registry.timer("calls");
      timer.record(Duration.ofNanos(7));
      registry.remove(timer);

      Await.until("the removed meter's value", () -> peer.mergedValues() == 1);
      Await.until("series forgotten", () -> client.health().series() == 0);
      registry.close();
    }
  }

  @Test
  void close_ofARegistryOverAClientHandedIn_leavesItConnected() {
    try (HdrSidecarClient client = HdrSidecarClient.create(config(Duration.ofMillis(50)))) {
      HdrSidecarMeterRegistry registry = new HdrSidecarMeterRegistry(client);
      registry.timer("calls").record(Duration.ofNanos(7));
      registry.close();
      client.recorder("own").record(1);

      Await.until("both values", () -> peer.mergedValues() == 2);
      assertThat(peer.goodbyes()).isZero();
    }
  }

  @Test
  void record_afterClose_isDeliveredByTheNextClose() {
    HdrSidecarMeterRegistry registry = HdrSidecarMeterRegistry.create(config(Duration.ofHours(1)));
    Timer known = registry.timer("calls");
    known.record(Duration.ofNanos(1));
    LongTaskTimer.Sample running = LongTaskTimer.builder("import").register(registry).start();
    registry.close();
    assertThat(peer.mergedValues()).isEqualTo(1);
    assertThat(registry.isClosed()).as("its client goes on").isFalse();

    known.record(Duration.ofNanos(2));
    registry.timer("calls", "route", "/new").record(Duration.ofNanos(3));
    running.stop();
    registry.close();

    assertThat(peer.mergedKeys())
        .containsExactlyInAnyOrder("calls", "calls{route=\"/new\"}", "import");
    assertThat(requireNonNull(peer.merged("calls")).count()).isEqualTo(2);
  }

  @Test
  void record_afterCloseOfARegistryOverAClientHandedIn_isDeliveredWithTheClient() {
    HdrSidecarClient client = HdrSidecarClient.create(config(Duration.ofHours(1)));
    HdrSidecarMeterRegistry registry = new HdrSidecarMeterRegistry(client);
    Timer known = registry.timer("calls");
    registry.close();

    known.record(Duration.ofNanos(1));
    registry.timer("calls", "route", "/new").record(Duration.ofNanos(2));
    client.close();

    assertThat(peer.mergedValues()).isEqualTo(2);
  }
}

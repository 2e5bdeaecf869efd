package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.series.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What is corrected, discarded and measured arrives, or not, over a real socket. */
class CorrectedDeliveryTest {
  private static final String RAW = "pay{route=\"/pay\"}";
  private static final String CORRECTED = "pay{corrected=\"expected_interval\",route=\"/pay\"}";
  private static final long MILLI = 1_000_000;

  private static ClientConfig.Builder config(TestPeer peer) {
    return ClientConfig.builder()
        .address(peer.address())
        .interval(Duration.ofMillis(20))
        .shutdownHook(false);
  }

  private static LatencyRecorder pay(HdrSidecarClient client) {
    return client.recorder("pay", Labels.of("route", "/pay"));
  }

  private static void close(HdrSidecarClient client) {
    assertThat(client.close(Duration.ofSeconds(20)).deliveredAll()).isTrue();
  }

  private static Accumulation merged(TestPeer peer, String key) {
    Accumulation merged = peer.merged(key);
    if (merged == null) {
      throw new AssertionError(key + " is not among " + peer.mergedKeys());
    }
    return merged;
  }

  @Test
  void record_withAnExpectedInterval_deliversRawAndCorrectedApart() throws Exception {
    Histogram expected = new Histogram(1, 3_600_000_000_000L, 3);
    try (TestPeer peer = TestPeer.onTcp()) {
      HdrSidecarClient client = HdrSidecarClient.create(config(peer).build());
      LatencyRecorder pay = pay(client);
      for (long value : new long[] {MILLI, 250 * MILLI, 5_000 * MILLI}) {
        pay.recordWithExpectedInterval(value, MILLI);
        expected.recordValueWithExpectedInterval(value, MILLI);
      }
      close(client);

      assertThat(peer.breaches()).isEmpty();
      assertThat(merged(peer, RAW).count()).isEqualTo(3);
      Accumulation corrected = merged(peer, CORRECTED);
      assertThat(corrected.count()).isEqualTo(expected.getTotalCount());
      corrected
          .counts()
          .forEach(
              (index, count) ->
                  assertThat(count)
                      .isEqualTo(
                          expected.getCountAtValue(
                              corrected.counts().layout().lowestValueAt(index))));
      assertThat(client.health().lostBackFill()).isZero();
    }
  }

  @Test
  void record_withoutAnExpectedInterval_makesNoCorrectedSeries() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      HdrSidecarClient client = HdrSidecarClient.create(config(peer).build());
      pay(client).record(MILLI);
      close(client);

      assertThat(peer.mergedKeys()).containsExactly(RAW);
    }
  }

  @Test
  void remove_ofARecorderWithACorrectedSeries_deliversTheLastOfBoth() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      HdrSidecarClient client = HdrSidecarClient.create(config(peer).build());
      LatencyRecorder pay = pay(client);
      pay.recordWithExpectedInterval(10 * MILLI, MILLI);
      assertThat(client.remove(pay)).isTrue();
      pay.recordWithExpectedInterval(
          10 * MILLI, MILLI); // may come in time for the raw series, never for a new one
      close(client);

      assertThat(merged(peer, RAW).count()).isBetween(1L, 2L);
      assertThat(merged(peer, CORRECTED).count()).isEqualTo(10);
    }
  }

  @Test
  void recorder_withTheLabelOfCorrectedSeries_isRefused() {
    HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().enabled(false).shutdownHook(false).build());
    try (client) {
      assertThatThrownBy(() -> client.recorder("pay", Labels.of("corrected", "expected_interval")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is set by recordWithExpectedInterval");
    }
  }

  @Test
  void discardUntil_ofTheClient_deliversNothingAndCountsIt() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      HdrSidecarClient client = HdrSidecarClient.create(config(peer).build());
      client.discardUntil(Instant.now().plusSeconds(3_600));
      pay(client).recordWithExpectedInterval(10 * MILLI, MILLI);
      close(client);

      assertThat(peer.mergedKeys()).isEmpty();
      assertThat(client.health().discardedValues()).isEqualTo(11); // 1 raw and 10 corrected
      assertThat(client.health().harvestedValues()).isZero();
    }
  }

  @Test
  void reset_afterAWarmUp_deliversOnlyWhatComesAfterTheNextSample() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      HdrSidecarClient client = HdrSidecarClient.create(config(peer).build());
      LatencyRecorder pay = pay(client);
      client.discardUntil(Instant.now().plusSeconds(3_600));
      pay.record(1);
      Await.until("the warm-up is discarded", () -> client.health().discardedValues() == 1);
      client.discardUntil(Instant.now());
      Await.until(
          "values are delivered",
          () -> {
            pay.record(2);
            return peer.merged(RAW) != null;
          });
      close(client);

      assertThat(merged(peer, RAW).min()).isEqualTo(2);
    }
  }

  @Test
  void hiccups_switchedOn_deliverRawAndCorrectedUnderTheirNames() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      HdrSidecarClient client = HdrSidecarClient.create(config(peer).hiccups(true).build());
      Await.until("hiccups arrive", () -> peer.merged("jvm_hiccup_raw") != null);
      close(client);

      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.mergedKeys())
          .containsExactly("jvm_hiccup_raw", "jvm_hiccup{corrected=\"expected_interval\"}");
      // The last measurement may be recorded between the last samples of the two series.
      long raw = merged(peer, "jvm_hiccup_raw").count();
      long corrected = merged(peer, "jvm_hiccup{corrected=\"expected_interval\"}").count();
      assertThat(corrected).isGreaterThanOrEqualTo(raw - 1);
    }
  }

  @Test
  void fromEnvironment_withHiccups_setsThem() {
    ClientConfig config =
        ClientConfig.fromEnvironment(
            Map.of(
                "HDR_SIDECAR_HICCUPS", "true",
                "HDR_SIDECAR_HICCUPS_RESOLUTION", "5ms",
                "HDR_SIDECAR_HICCUPS_DELAY", "30s"));

    assertThat(config.hiccups().orElseThrow().resolution()).isEqualTo(Duration.ofMillis(5));
    assertThat(config.hiccups().orElseThrow().startDelay()).isEqualTo(Duration.ofSeconds(30));
    assertThat(ClientConfig.fromEnvironment(Map.of()).hiccups()).isEmpty();
  }
}

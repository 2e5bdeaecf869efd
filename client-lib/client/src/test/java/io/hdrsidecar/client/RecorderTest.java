package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Recorders as an application uses them, with nobody to send to. */
class RecorderTest {
  private final HdrSidecarClient client =
      HdrSidecarClient.create(
          ClientConfig.builder()
              .address("unix:///no/such/socket")
              .interval(Duration.ofHours(1))
              .commonLabels(Labels.of("pod", "a"))
              .maxSeries(3)
              .shutdownHook(false)
              .build());

  @AfterEach
  void close() {
    client.close(Duration.ZERO);
  }

  @Test
  void recorder_sameKey_isTheSame() {
    LatencyRecorder recorder = client.recorder("a", Labels.of("x", "1", "y", "2"));

    assertThat(client.recorder("a", Labels.of("y", "2", "x", "1"))).isSameAs(recorder);
    assertThat(client.recorder("a")).isNotSameAs(recorder);
    assertThat(client.recorder("a").key().toString()).isEqualTo("a");
  }

  @Test
  void recorder_sameKeyWithOtherConfiguration_isRefusedNamingBoth() {
    client.recorder("a");

    assertThatThrownBy(
            () ->
                client.recorder(
                    "a", Labels.empty(), RecorderConfig.latency().withSignificantDigits(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("significantDigits=3")
        .hasMessageContaining("significantDigits=2");
  }

  @Test
  void recorder_labelAgainstCommonLabel_isRefused() {
    assertThatThrownBy(() -> client.recorder("a", Labels.of("pod", "b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pod");
    assertThat(client.recorder("a", Labels.of("pod", "a"))).isNotNull();
  }

  /** Recording must not fail, and of a series of the sidecar with 32 there is no corrected one. */
  @Test
  void recorder_withLabelsThatLeaveNoneForTheCorrectedSeries_isRefused() {
    Map<String, String> own = new HashMap<>();
    while (own.size() < 30) { // One is common.
      own.put("label" + own.size(), "x");
    }
    LatencyRecorder most = client.recorder("most", Labels.of(own));
    most.recordWithExpectedInterval(3, 1);
    own.put("another", "x");
    assertThatThrownBy(() -> client.recorder("more", Labels.of(own)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 31 labels, common ones included")
        .hasMessageContaining("more{");
  }

  @Test
  void recorder_aboveTheLimit_isTheOverflowOfItsNameAndConfiguration() {
    client.recorder("a", Labels.of("id", "1"));
    client.recorder("a", Labels.of("id", "2"));
    LatencyRecorder third = client.recorder("b");

    LatencyRecorder overflow = client.recorder("a", Labels.of("id", "3"));
    assertThat(overflow.key().toString()).isEqualTo("a{overflow=\"true\"}");
    assertThat(client.recorder("a", Labels.of("id", "4"))).isSameAs(overflow);
    assertThat(client.recorder("b")).isSameAs(third);
    assertThat(client.recorder("b", Labels.of("id", "5")).name()).isEqualTo("b");
    assertThat(client.recorder("a", Labels.of("id", "6"), RecorderConfig.of(Unit.MILLISECONDS)))
        .isNotSameAs(overflow);
    assertThat(client.health().overflowedLookups()).isEqualTo(4);
    assertThat(client.remove(overflow)).isFalse();

    assertThat(client.remove(third)).isTrue();
    assertThat(client.recorder("a", Labels.of("id", "7")).labels()).isEqualTo(Labels.of("id", "7"));
  }

  @Test
  void recorder_aboveTheLimit_keepsKindsOfTimeApart() {
    for (int i = 0; i < 3; i++) {
      client.recorder("a", Labels.of("id", "" + i));
    }

    LatencyRecorder waits = client.recorder("a", Labels.of("id", "3", "kind", "wait"));
    assertThat(waits.key().toString()).isEqualTo("a{kind=\"wait\",overflow=\"true\"}");
    assertThat(client.recorder("a", Labels.of("id", "4", "kind", "wait"))).isSameAs(waits);
    assertThat(client.recorder("a", Labels.of("id", "3", "kind", "service"))).isNotSameAs(waits);
    assertThat(client.recorder("a", Labels.of("id", "3", "kind", "cache")))
        .isSameAs(client.recorder("a", Labels.of("id", "5")));
  }

  @Test
  void record_anyValue_neverThrows() {
    LatencyRecorder recorder = client.recorder("a");

    recorder.record(-1);
    recorder.record(Long.MIN_VALUE);
    recorder.record(0);
    recorder.record(Long.MAX_VALUE);
    recorder.record(Duration.ofNanos(-5));
    recorder.record(Duration.ofSeconds(Long.MIN_VALUE));
    recorder.record(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));

    Histogram snapshot = recorder.snapshot();
    assertThat(snapshot.getTotalCount()).isEqualTo(7);
    assertThat(snapshot.getCountAtValue(0)).isEqualTo(5);
    assertThat(snapshot.getCountAtValue(3_600_000_000_000L)).isEqualTo(2);
  }

  @Test
  void snapshot_afterRecording_isWhatHdrHistogramCounts() {
    LatencyRecorder recorder = client.recorder("a");
    Histogram expected = new Histogram(1, 3_600_000_000_000L, 3);
    for (long value : RawValues.latencies(10_000, 1)) {
      recorder.record(value);
      expected.recordValue(value);
    }

    assertThat(recorder.snapshot()).isEqualTo(expected);
    assertThat(recorder.snapshot()).isEqualTo(expected);
  }

  @Test
  void recordDuration_inOtherUnits_isRoundedToTheNearest() {
    LatencyRecorder millis =
        client.recorder("a", Labels.empty(), RecorderConfig.of(Unit.MILLISECONDS));

    millis.record(Duration.ofNanos(1_499_999));
    millis.record(Duration.ofNanos(1_500_000));
    millis.record(7);

    assertThat(millis.snapshot().getCountAtValue(1)).isEqualTo(1);
    assertThat(millis.snapshot().getCountAtValue(2)).isEqualTo(1);
    assertThat(millis.snapshot().getCountAtValue(7)).isEqualTo(1);
    assertThat(millis.config().highestTrackableValue()).isEqualTo(3_600_000);
  }

  @Test
  void time_ofWork_returnsItsResultAndRecords() throws IOException {
    LatencyRecorder recorder = client.recorder("a");

    int result = recorder.time(() -> 42);
    recorder.time(() -> {});
    String text = recorder.time(RecorderTest::read);

    assertThat(result).isEqualTo(42);
    assertThat(text).isEqualTo("read");
    assertThat(recorder.snapshot().getTotalCount()).isEqualTo(3);
  }

  private static String read() throws IOException {
    return "read";
  }

  @Test
  void time_ofWorkThatThrows_recordsAndThrows() {
    LatencyRecorder recorder = client.recorder("a");

    assertThatThrownBy(
            () ->
                recorder.time(
                    () -> {
                      throw new IOException("broken");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("broken");
    assertThat(recorder.snapshot().getTotalCount()).isEqualTo(1);
  }

  @Test
  void timing_stoppedTwice_recordsOnce() {
    LatencyRecorder recorder = client.recorder("a");

    try (Timing timing = recorder.start()) {
      assertThat(timing.stop()).isNotNegative();
    }
    Timing neverStopped = recorder.start();

    assertThat(neverStopped).isNotNull();
    assertThat(recorder.snapshot().getTotalCount()).isEqualTo(1);
  }

  @Test
  void recorderConfig_outOfRange_isRefused() {
    assertThatThrownBy(() -> RecorderConfig.latency().withSignificantDigits(6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0..5: 6");
    assertThatThrownBy(() -> RecorderConfig.latency().withRange(10, 19))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RecorderConfig.latency().withHelp("x".repeat(1025)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

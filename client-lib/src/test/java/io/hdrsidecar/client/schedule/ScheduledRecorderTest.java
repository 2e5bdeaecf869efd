package io.hdrsidecar.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.interval.Unit;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduledRecorderTest {
  private static final Labels LABELS = Labels.of("route", "/pay");

  private final HdrSidecarClient client =
      HdrSidecarClient.create(
          ClientConfig.builder()
              .enabled(false)
              .interval(Duration.ofHours(1))
              .shutdownHook(false)
              .build());

  @AfterEach
  void close() {
    client.close();
  }

  private Histogram recorded(String kind) {
    return client.recorder("pay", LABELS.with("kind", kind)).snapshot();
  }

  private void assertRecorded(long wait, long service, long response) {
    assertOnly("wait", wait);
    assertOnly("service", service);
    assertOnly("response", response);
  }

  private void assertOnly(String kind, long value) {
    Histogram histogram = recorded(kind);
    assertThat(histogram.getTotalCount()).as(kind).isOne();
    assertThat(histogram.getCountAtValue(value)).as(kind).isOne();
  }

  @Test
  void record_ofALateCall_splitsResponseIntoWaitAndService() {
    ScheduledRecorder.of(client, "pay", LABELS).record(1_000, 1_300, 2_000);

    assertRecorded(300, 700, 1_000);
  }

  @Test
  void record_ofACallThatStartedEarly_hasNoWaitAndMeasuresResponseFromTheActualStart() {
    ScheduledRecorder.of(client, "pay", LABELS).record(1_000, 900, 2_000);

    assertRecorded(0, 1_100, 1_100);
  }

  @Test
  void record_whenNanoTimeOverflows_measuresTheDifferences() {
    long intended = Long.MAX_VALUE - 100;

    ScheduledRecorder.of(client, "pay", LABELS).record(intended, intended + 300, intended + 1_000);

    assertRecorded(300, 700, 1_000);
  }

  @Test
  void end_calledAgain_recordsOnce() {
    ScheduledCall call = ScheduledRecorder.of(client, "pay", LABELS).begin(System.nanoTime());

    call.end();
    call.end();
    call.close();

    assertThat(recorded("response").getTotalCount()).isOne();
    assertThat(recorded("service").getTotalCount()).isOne();
    assertThat(recorded("wait").getTotalCount()).isOne();
  }

  @Test
  void begin_ofACallIntendedLongAgo_countsTheWaitInResponseNotInService() {
    long second = 1_000_000_000;

    ScheduledRecorder.of(client, "pay", LABELS).begin(System.nanoTime() - 60 * second).end();

    assertThat(recorded("wait").getMaxValue()).isGreaterThanOrEqualTo(60 * second);
    assertThat(recorded("response").getMaxValue()).isGreaterThanOrEqualTo(60 * second);
    assertThat(recorded("service").getMaxValue()).isLessThan(60 * second);
  }

  @Test
  void of_withALabelKind_isRefused() {
    assertThatThrownBy(() -> ScheduledRecorder.of(client, "pay", Labels.of("kind", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("label kind");
  }

  @Test
  void of_withAnotherUnit_isRefused() {
    RecorderConfig millis = RecorderConfig.of(Unit.MILLISECONDS);

    assertThatThrownBy(() -> ScheduledRecorder.of(client, "pay", LABELS, millis))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be recorded in nanoseconds");
  }
}

package io.hdrsidecar.client.schedule;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduledRecorderTest {
  private static final Labels LABELS = Labels.of("route", "/pay");

  private final TestPeer peer = TestPeer.onTcp();
  private final HdrSidecarClient client =
      HdrSidecarClient.create(
          ClientConfig.builder().address(peer.address()).shutdownHook(false).build());

  ScheduledRecorderTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    client.close(Duration.ZERO);
    peer.close();
  }

  /** Of the series with this kind, all that was recorded; ends the client. */
  private Accumulation recorded(String kind) {
    assertThat(client.close(Duration.ofMinutes(1)).deliveredAll()).isTrue();
    return requireNonNull(peer.merged("pay{kind=\"" + kind + "\",route=\"/pay\"}"));
  }

  private void assertRecorded(long wait, long service, long response) {
    assertOnly("wait", wait);
    assertOnly("service", service);
    assertOnly("response", response);
  }

  private void assertOnly(String kind, long value) {
    Accumulation recorded = recorded(kind);
    assertThat(recorded.count()).as(kind).isOne();
    assertThat(recorded.min()).as(kind).isEqualTo(value);
    assertThat(recorded.max()).as(kind).isEqualTo(value);
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
  void record_ofAnEndBeforeTheStart_countsNoServiceTimeAndTheWaitAsResponse() {
    ScheduledRecorder.of(client, "pay", LABELS).record(1_000, 1_300, 1_100);

    assertRecorded(300, 0, 300);
  }

  @Test
  void record_ofAWaitAndAServiceTimeTooLargeToAdd_countsTheHighestResponse() {
    long tooLarge = Long.MAX_VALUE - 1_000;

    ScheduledRecorder.of(client, "pay", LABELS).record(-tooLarge, 0, tooLarge);

    long hour = Duration.ofHours(1).toNanos();
    assertRecorded(hour, hour, hour);
  }

  @Test
  void record_ofAWaitAboveTheRange_limitsEachTimeByItself() {
    long hour = Duration.ofHours(1).toNanos();
    long second = Duration.ofSeconds(1).toNanos();

    ScheduledRecorder.of(client, "pay", LABELS).record(0, 2 * hour, 2 * hour + second);

    assertRecorded(hour, second, hour);
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

    assertThat(recorded("response").count()).isOne();
    assertThat(recorded("service").count()).isOne();
    assertThat(recorded("wait").count()).isOne();
  }

  @Test
  void begin_ofACallIntendedLongAgo_countsTheWaitInResponseNotInService() {
    long second = 1_000_000_000;

    ScheduledRecorder.of(client, "pay", LABELS).begin(System.nanoTime() - 60 * second).end();

    assertThat(recorded("wait").max()).isGreaterThanOrEqualTo(60 * second);
    assertThat(recorded("response").max()).isGreaterThanOrEqualTo(60 * second);
    assertThat(recorded("service").max()).isLessThan(60 * second);
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

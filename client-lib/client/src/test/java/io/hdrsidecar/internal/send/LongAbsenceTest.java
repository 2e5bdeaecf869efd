package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten minutes without a sidecar, by a clock the test turns. */
class LongAbsenceTest {
  private static final int SERIES = 20;

  private final Path directory;

  LongAbsenceTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void tenMinutesWithoutSidecar_keepOneIntervalPerSeriesAndDeliverEveryCount() throws IOException {
    Path socket = directory.resolve("sidecar.sock");
    try (TestPeer peer = TestPeer.notYetOn(socket)) {
      peer.limits(1 << 20, 4, 1);
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder[] recorders = new SeriesRecorder[SERIES];
      for (int i = 0; i < SERIES; i++) {
        recorders[i] = harness.series("series_" + i);
      }

      for (int second = 1; second <= 600; second++) {
        for (SeriesRecorder recorder : recorders) {
          recorder.record(1000L * second);
          recorder.record(2000L * second);
        }
        harness.pass(Duration.ofSeconds(1), Duration.ofMillis(100));
        assertThat(harness.figures().of(ClientFigure.PENDING_INTERVALS)).isEqualTo(SERIES);
        assertThat(harness.figures().of(ClientFigure.IN_FLIGHT_INTERVALS)).isZero();
      }
      assertThat(harness.figures().pendingValues()).isEqualTo(600L * 2 * SERIES);

      peer.start();
      harness.pass(Duration.ofSeconds(10), Duration.ofMillis(100));
      harness.turnUntil(
          "delivery",
          () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == 600L * 2 * SERIES);

      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.mergedValues()).isEqualTo(600L * 2 * SERIES);
      assertThat(peer.newIntervals()).isEqualTo(SERIES);
      assertThat(peer.longestMillis()).isEqualTo(600_000);
      harness.turnUntil("health", () -> peer.health().containsKey("joined_intervals_total"));
      assertThat(peer.health()).containsEntry("overflowed_lookups_total", 7L);
      assertThat(harness.logged())
          .satisfiesExactly(
              away -> assertThat(away).startsWith("WARNING no connection with unix:"),
              back -> assertThat(back).startsWith("INFO connected to unix:"));
    }
  }

  @Test
  void sidecarLostWithAFullWindow_keepsTheWindowAndOneIntervalPerSeries() throws IOException {
    Path socket = directory.resolve("sidecar.sock");
    try (TestPeer peer = TestPeer.onUnixSocket(socket)) {
      peer.limits(1 << 20, 4, 1);
      peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder[] recorders = new SeriesRecorder[SERIES];
      for (int i = 0; i < SERIES; i++) {
        recorders[i] = harness.series("series_" + i);
      }
      harness.turnUntil("connection", () -> harness.figures().connected());
      recordSecond(harness, recorders);
      harness.turnUntil("window sent", () -> peer.newIntervals() == 4);
      peer.stop();
      harness.turnUntil("loss", () -> !harness.figures().connected());

      for (int second = 2; second <= 600; second++) {
        recordSecond(harness, recorders);
        assertThat(harness.figures().of(ClientFigure.IN_FLIGHT_INTERVALS)).isEqualTo(4);
        assertThat(harness.figures().of(ClientFigure.PENDING_INTERVALS))
            .isLessThanOrEqualTo(SERIES);
      }

      peer.judge((n, series) -> Verdict.ACKNOWLEDGE);
      peer.start();
      harness.pass(Duration.ofSeconds(10), Duration.ofMillis(100));
      harness.turnUntil(
          "delivery",
          () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == 600L * SERIES);
      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.mergedValues()).isEqualTo(600L * SERIES);
    }
  }

  @Test
  void sidecarThatOwesAnAnswer_isLeftWithALineThatSaysForHowLong() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder recorder = harness.series("series");
      harness.turnUntil("connection", () -> harness.figures().connected());
      recordSecond(harness, recorder);
      harness.turnUntil("interval sent", () -> peer.newIntervals() == 1);

      harness.pass(harness.config().stallTimeout(), Duration.ofSeconds(1));

      assertThat(harness.logged())
          .anySatisfy(
              line ->
                  assertThat(line).startsWith("WARNING lost unix:").endsWith("no answer for 30s"));
    }
  }

  private static void recordSecond(SendLoopHarness harness, SeriesRecorder... recorders) {
    for (SeriesRecorder recorder : recorders) {
      recorder.record(harness.nanos() + 1);
    }
    harness.pass(Duration.ofSeconds(1), Duration.ofMillis(100));
  }
}

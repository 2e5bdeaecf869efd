package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.record.SharedCounts;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Intervals longer than a recorder may go without a harvest, by a clock the test turns. */
class LongIntervalTest {
  private static final Duration TURN = Duration.ofMillis(100);

  private final Path directory;

  LongIntervalTest(@TempDir Path directory) {
    this.directory = directory;
  }

  /** Yields a value at each harvest, and knows the longest time between two. */
  private static final class WatchedSource implements IntervalSource {
    private final SendLoopHarness harness;
    private long lastNanos;
    private long longestNanos;
    private long harvests;

    WatchedSource(SendLoopHarness harness) {
      this.harness = harness;
      this.lastNanos = harness.nanos();
    }

    @Override
    public long harvestInto(Accumulation target) {
      longestNanos = Math.max(longestNanos, harness.nanos() - lastNanos);
      lastNanos = harness.nanos();
      harvests++;
      target.counts().add(target.counts().layout().indexOf(7), 1);
      target.sum().add(7);
      target.widen(7, 7);
      return 1;
    }
  }

  @Test
  void interval_ofAnHour_isHarvestedEachSecondAndSentAsOne() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofHours(1));
      harness.turnUntil("connection", () -> harness.figures().connected());
      WatchedSource source = new WatchedSource(harness);
      harness.add("a", source);

      harness.pass(Duration.ofMinutes(59), TURN);
      assertThat(harness.figures().of(ClientFigure.PENDING_INTERVALS)).isZero();
      assertThat(harness.figures().pendingValues()).isEqualTo(source.harvests);
      assertThat(harness.figures().of(ClientFigure.SENT_INTERVALS)).isZero();

      harness.pass(Duration.ofMinutes(1), TURN);
      harness.turnUntil(
          "delivery", () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_INTERVALS) == 1);
      assertThat(source.longestNanos).isEqualTo(Duration.ofSeconds(1).toNanos());
      assertThat(source.harvests).isEqualTo(3_600);
      assertThat(peer.mergedValues()).isEqualTo(3_600);
      assertThat(peer.newIntervals()).isEqualTo(1);
      assertThat(peer.longestMillis()).isEqualTo(3_600_000);
      assertThat(peer.breaches()).isEmpty();
    }
  }

  @Test
  void interval_withMoreValuesThanACounterHolds_countsEachOne() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(10));
      harness.turnUntil("connection", () -> harness.figures().connected());
      SeriesRecorder recorder = harness.series("a");

      for (int second = 0; second < 10; second++) {
        SharedCounts.record(recorder, 1_000, Integer.MAX_VALUE);
        harness.pass(Duration.ofSeconds(1), TURN);
      }
      harness.turnUntil(
          "delivery", () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_INTERVALS) == 1);

      long count = 10L * Integer.MAX_VALUE; // five times what an unsigned int holds
      assertThat(peer.mergedValues()).isEqualTo(count);
      Accumulation merged = Objects.requireNonNull(peer.merged("a"));
      assertThat(merged.sum().toBigInteger()).isEqualTo(1_000 * count);
    }
  }

  @Test
  void absentSidecar_overSeveralIntervals_keepsOneAndTheOneUnderWay() throws IOException {
    try (TestPeer peer = TestPeer.notYetOn(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofMinutes(1));
      SeriesRecorder recorder = harness.series("a");
      for (int second = 0; second < 185; second++) {
        recorder.record(1_000);
        harness.pass(Duration.ofSeconds(1), TURN);
      }
      assertThat(harness.figures().of(ClientFigure.PENDING_INTERVALS)).isEqualTo(1);
      assertThat(harness.figures().pendingValues()).isEqualTo(185);

      peer.start();
      harness.pass(Duration.ofSeconds(20), TURN); // longer than the longest wait to connect
      harness.turnUntil(
          "delivery", () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == 180);
      assertThat(peer.longestMillis()).isEqualTo(180_000);
      assertThat(harness.figures().pendingValues()).isEqualTo(5);

      harness.pass(Duration.ofSeconds(35), TURN);
      harness.turnUntil(
          "the rest", () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == 185);
      assertThat(peer.newIntervals()).isEqualTo(2);
      assertThat(harness.figures().pendingValues()).isZero();
      assertThat(peer.breaches()).isEmpty();
    }
  }

  @Test
  void close_duringAnInterval_deliversWhatItHad() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofHours(1));
      harness.turnUntil("connection", () -> harness.figures().connected());
      SeriesRecorder recorder = harness.series("a");
      recorder.record(1_000);
      harness.pass(Duration.ofMillis(2_500), TURN);
      recorder.record(1_000);

      harness.loop().close(harness.nanos() + Duration.ofSeconds(5).toNanos());
      harness.turnUntil("end", () -> harness.loop().closing().isOver());

      assertThat(peer.mergedValues()).isEqualTo(2);
      assertThat(harness.figures().undeliveredValues()).isZero();
    }
  }
}

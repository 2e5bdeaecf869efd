package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.FrameType;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long the loop goes on after a close, by clocks that the test turns. */
class AfterCloseTest {
  private static final Duration STEP = Duration.ofMillis(500);

  private static void close(SendLoopHarness harness) {
    harness.loop().close(harness.nanos() + Duration.ofSeconds(5).toNanos());
    harness.turnUntil("close", () -> harness.loop().closing().isDone());
  }

  @Test
  void loop_quietForAMinuteAfterAClose_ends() throws IOException {
    try (TestPeer peer = TestPeer.onTcp()) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder recorder = harness.series("a");
      close(harness);

      harness.pass(Duration.ofSeconds(50), STEP);
      recorder.record(1);
      harness.pass(STEP, STEP);
      harness.turnUntil("the value", () -> peer.mergedValues() == 1);
      harness.pass(Duration.ofSeconds(50), STEP);
      assertThat(harness.loop().hasEnded()).isFalse();

      harness.pass(Duration.ofSeconds(12), STEP);
      assertThat(harness.loop().hasEnded()).isTrue();
    }
  }

  /** The loop has just looked for new series when one comes, and the close right behind it. */
  @Test
  void close_ofASeriesThatCameInTheMidstOfATurn_deliversIt() throws IOException {
    try (TestPeer peer = TestPeer.onTcp()) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      harness.meanwhile(
          () -> {
            harness.series("a").record(1);
            harness.loop().close(harness.nanos() + Duration.ofSeconds(5).toNanos());
          });

      harness.turnUntil("close", () -> harness.loop().closing().isDone());

      assertThat(peer.mergedValues()).isEqualTo(1);
    }
  }

  /** Figures are due every 10 s, which is in the midst of the wait for the answer. */
  @Test
  void goodbye_isTheLastThatIsSaid() throws Exception {
    try (UnansweringPeer peer = new UnansweringPeer()) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      harness.turnUntil("figures", () -> peer.heard().contains(FrameType.HEALTH));
      harness.pass(Duration.ofMillis(9_800), STEP);
      harness.loop().close(harness.nanos() + Duration.ofSeconds(5).toNanos());
      harness.turnUntil("goodbye", () -> peer.heard().contains(FrameType.GOODBYE));

      harness.pass(Duration.ofSeconds(1), Duration.ofMillis(50));

      assertThat(harness.loop().closing().isDone()).isTrue();
      assertThat(peer.all()).endsWith(FrameType.GOODBYE);
    }
  }

  @Test
  void close_afterTheEnd_deliversWhatWasRecordedMeanwhile() throws IOException {
    try (TestPeer peer = TestPeer.onTcp()) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder recorder = harness.series("a");
      close(harness);
      harness.pass(Duration.ofSeconds(62), STEP);
      assertThat(harness.loop().hasEnded()).isTrue();
      recorder.record(1);

      close(harness);

      assertThat(peer.mergedValues()).isEqualTo(1);
      assertThat(harness.figures().undeliveredValues()).isZero();
      assertThat(peer.breaches()).isEmpty();
    }
  }

  @Test
  void loop_whileTheJvmEnds_goesOn() throws IOException {
    try (TestPeer peer = TestPeer.onTcp()) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      harness.loop().closing().stayUntilTheJvmEnds();
      close(harness);

      harness.pass(Duration.ofMinutes(10), Duration.ofSeconds(5));

      assertThat(harness.loop().hasEnded()).isFalse();
    }
  }

  @Test
  void health_ofALaterInstance_beginsAtZero() throws IOException {
    try (TestPeer peer = TestPeer.onTcp()) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder recorder = harness.series("a");
      recorder.record(1);
      close(harness);
      Await.until("health", () -> peer.health().getOrDefault("acknowledged_values_total", 0L) == 1);
      recorder.record(2);
      recorder.record(3);

      close(harness);

      Await.until("health", () -> peer.health().getOrDefault("acknowledged_values_total", 0L) == 2);
      assertThat(harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES)).isEqualTo(3);
    }
  }
}

package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.IntervalFrame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sidecar comes back with what it knew long ago, as from a journal that was not written. */
class SetBackTest {
  private static final int SERIES = 2_000;

  @Test
  void welcome_furtherBackThanASidecarTakesJumps_clientGoesOnAsAnotherAndLosesNothing(
      @TempDir Path directory) throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      List<SeriesRecorder> recorders = new ArrayList<>();
      for (int i = 0; i < SERIES; i++) {
        recorders.add(harness.series("s" + i));
      }
      long recorded = 0;
      while (peer.newIntervals() <= IntervalFrame.MAX_SEQUENCE_GAP + 5) {
        recorders.forEach(recorder -> recorder.record(7));
        recorded += SERIES;
        long all = recorded;
        harness.pass(Duration.ofSeconds(1), Duration.ofMillis(100));
        harness.turnUntil(
            "answers", () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == all);
      }
      peer.settledOfAll(5);
      peer.stop();
      harness.turnUntil("the loss", () -> !harness.figures().connected());
      peer.start();
      recorders.forEach(recorder -> recorder.record(8));
      harness.pass(Duration.ofSeconds(20), Duration.ofMillis(100));
      long all = recorded + SERIES;
      harness.turnUntil(
          "the rest",
          () -> {
            harness.pass(Duration.ofMillis(100), Duration.ofMillis(100));
            return harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == all;
          });

      assertThat(peer.mergedValues()).isEqualTo(all);
      assertThat(harness.figures().lostValues()).isEmpty();
      assertThat(peer.hellos().stream().map(Frame.Hello::instance).distinct()).hasSize(2);
      assertThat(peer.breaches()).isEmpty();
    }
  }
}

package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The thread outlives failures that should not be. */
class LoopFailureTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private static SendConfig config(TestPeer peer) {
    return new SendConfig(
        SidecarAddress.parse(peer.address()),
        true,
        Duration.ofMillis(20),
        Labels.empty(),
        TokenSource.NONE,
        TlsFiles.NONE,
        Duration.ofSeconds(30),
        Duration.ofMillis(1),
        Duration.ofMillis(10),
        null,
        null,
        Clock.systemUTC(),
        System::nanoTime,
        new SplittableRandom(1));
  }

  @Test
  void failureOfATurn_isCountedAndDeliveryGoesOn() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    try (TestPeer peer = TestPeer.onTcp()) {
      IntervalSender sender =
          IntervalSender.start(
              config(peer),
              () -> {
                if (calls.incrementAndGet() <= 2) {
                  throw new AssertionError("meant to fail");
                }
                return Map.of(ClientFigure.OVERFLOWED_LOOKUPS, 1L);
              });
      SeriesRecorder recorder = new SeriesRecorder(LAYOUT, 1000);
      sender.add(
          new SeriesDefinition(
              new SeriesKey("a", Labels.empty()), Unit.NANOSECONDS, "", LAYOUT, 1000),
          recorder);
      recorder.record(1);
      Await.until("health", () -> peer.health().containsKey("overflowed_lookups_total"));
      recorder.record(2);

      SendFigures last = sender.close(Duration.ofSeconds(20)).figures();

      assertThat(last.of(ClientFigure.LOOP_FAILURES)).isEqualTo(2);
      assertThat(last.undeliveredValues()).isZero();
      assertThat(peer.mergedValues()).isEqualTo(2);
      assertThat(peer.breaches()).isEmpty();
    }
  }
}

package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.Frame.Reject.Scope;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Series ids over a real socket: what they lead to when series end, and how many there may be. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SeriesIdsTest {
  private static final int SHARED_IDS = 3;

  private static RunningServer sidecar(int maxSeries, Duration idleExpiry) {
    ReceiveLimits limits =
        SettingRecords.of(
            ReceiveLimits.class,
            Map.of(
                "ingest.max-connections", "10",
                "ingest.max-series-per-connection", "5000",
                "ingest.max-series-ids", String.valueOf(SHARED_IDS)));
    MergeConfig merge = new MergeConfig(maxSeries, 1, 100_000, List.of(), 2048, idleExpiry);
    return new RunningServer(limits, merge, null);
  }

  private static void awaitEnd(RunningServer sidecar) {
    RunningServer.eventually(() -> sidecar.store().series().isEmpty());
  }

  @Test
  void interval_afterItsSeriesEnded_isCountedInANewOne() throws Exception {
    try (RunningServer sidecar = sidecar(1, Duration.ofSeconds(1));
        FrameClient client = sidecar.welcomed()) {
      client.series(1, definition("x")).interval(1, 1, 5, 6).awaitAck(1);
      awaitEnd(sidecar);

      assertThat(client.interval(2, 1, 7).awaitAck(2)).isEmpty();

      assertThat(sidecar.total("x").count()).isEqualTo(1);
      assertThat(sidecar.store().status().values()).isEqualTo(3);
    }
  }

  @Test
  void interval_ofASeriesForgotten_endsTheConnectionAndIsCountedOnTheNext() throws Exception {
    InstanceId instance = InstanceId.random();
    try (RunningServer sidecar = sidecar(1, Duration.ofSeconds(1));
        FrameClient client = sidecar.connect();
        FrameClient next = sidecar.connect()) {
      client.hello(instance);
      client.series(1, definition("x", "id", "1")).interval(1, 1, 5).awaitAck(1);
      awaitEnd(sidecar);
      client.series(2, definition("x", "id", "2")).interval(2, 2, 6).awaitAck(2);
      client.series(3, definition("x", "id", "3")).interval(3, 3, 6).awaitAck(3);
      awaitEnd(sidecar);

      // Of the three that have ended, the third is the overflow series, two are remembered.
      client.interval(4, 1, 7);

      assertThat(client.next()).isEqualTo(new Frame.Ack(3));
      assertThat(client.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.SERIES_FORGOTTEN);
      client.awaitClose();
      assertThat(next.hello(instance).lastSequence()).isEqualTo(3);
      assertThat(next.series(1, definition("x", "id", "1")).interval(4, 1, 7).awaitAck(4))
          .isEmpty();
      assertThat(sidecar.total("x", "id", "1").count()).isEqualTo(1);
    }
  }

  @Test
  void ids_moreThanAllConnectionsMayHave_areRefusedBeyondTheFirstOfEach() throws Exception {
    int allowed = IdBudget.RESERVED_IDS + SHARED_IDS;
    try (RunningServer sidecar = sidecar(1, Duration.ZERO);
        FrameClient other = sidecar.welcomed()) {
      try (FrameClient greedy = sidecar.welcomed()) {
        declare(greedy, 1, allowed);
        assertThat(greedy.interval(1, allowed, 5).awaitAck(1)).isEmpty();
        greedy.series(allowed + 1, definition("x"));
        assertThat(greedy.rejectedWith(Scope.SERIES)).isEqualTo(RejectReason.SERIES_LIMIT);

        declare(other, 1, IdBudget.RESERVED_IDS);
        assertThat(other.interval(1, IdBudget.RESERVED_IDS, 5).awaitAck(1)).isEmpty();
        other.series(allowed, definition("x"));
        assertThat(other.rejectedWith(Scope.SERIES)).isEqualTo(RejectReason.SERIES_LIMIT);

        // An id declared again takes no more room; one that is refused gives its room back.
        greedy.series(1, definition("x", "id", "again")).interval(2, 1, 5);
        assertThat(greedy.awaitAck(2)).isEmpty();
        greedy.series(2, definition("hdr_reserved"));
        assertThat(greedy.rejectedWith(Scope.SERIES)).isEqualTo(RejectReason.BAD_SERIES);
        greedy.series(allowed + 1, definition("x")).interval(3, allowed + 1, 5);
        assertThat(greedy.awaitAck(3)).isEmpty();
      }
      RunningServer.eventually(() -> sidecar.server().counters().connections() == 1);

      other.series(allowed, definition("x")).interval(2, allowed, 5);
      assertThat(other.awaitAck(2)).isEmpty();
    }
  }

  private static void declare(FrameClient client, int from, int to) throws Exception {
    FrameEncoder frames = new FrameEncoder();
    for (int id = from; id <= to; id++) {
      frames.series(id, definition("x", "id", Integer.toString(id)));
    }
    client.send(frames);
  }
}

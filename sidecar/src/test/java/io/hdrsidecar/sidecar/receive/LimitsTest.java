package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.Frame.Reject.Scope;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every bound, reached over a real socket. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LimitsTest {
  private static RunningServer sidecar(
      int maxConnections, int maxSeries, Duration hello, Duration idle) {
    return sidecar(maxConnections, maxSeries, hello, idle, null);
  }

  /** One that remembers 40 instances, 10 of them of one address. */
  private static RunningServer sidecar(
      int maxConnections, int maxSeries, Duration hello, Duration idle, @Nullable Path unixSocket) {
    return new RunningServer(
        limits(maxConnections, maxSeries, hello, idle),
        new MergeConfig(2, 1, 100_000, List.of()),
        unixSocket);
  }

  private static ReceiveLimits limits(
      int maxConnections, int maxSeries, Duration hello, Duration idle) {
    return SettingRecords.of(
        ReceiveLimits.class,
        Map.of(
            "ingest.max-body",
            "8KiB",
            "ingest.max-in-flight",
            "16",
            "ingest.max-connections",
            String.valueOf(maxConnections),
            "ingest.max-series-per-connection",
            String.valueOf(maxSeries),
            "ingest.max-series-ids",
            "3",
            "ingest.hello-timeout",
            hello.toSeconds() + "s",
            "ingest.idle-timeout",
            idle.toSeconds() + "s",
            "ingest.max-instances",
            "40"));
  }

  private static RunningServer sidecar(int maxConnections, int maxSeries) {
    return sidecar(maxConnections, maxSeries, Duration.ofMinutes(1), Duration.ofMinutes(1));
  }

  @Test
  void connections_moreThanAllowed_areRefusedUntilOneEnds() throws Exception {
    try (RunningServer sidecar = sidecar(2, 10);
        FrameClient second = sidecar.welcomed()) {
      assertThat(sidecar.server().counters().connectionsLimit()).isEqualTo(2);
      try (FrameClient first = sidecar.welcomed();
          FrameClient third = sidecar.connect()) {
        first.series(1, definition("x"));
        assertThat(third.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.CONNECTION_LIMIT);
        third.awaitClose();
      }
      RunningServer.eventually(() -> sidecar.server().counters().connections() == 1);

      try (FrameClient fourth = sidecar.welcomed()) {
        fourth.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
        second.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
      }
    }
  }

  /** The metric says beforehand how many there is room for. */
  @Test
  void connections_asManyAsMemoryHasRoomFor_areTakenAndOneMoreIsRefused() throws Exception {
    ReceiveConfig config = new ReceiveConfig("127.0.0.1", 0, null, ReceiveLimits.defaults());
    List<FrameClient> taken = new ArrayList<>();
    try (RunningServer sidecar =
        new RunningServer(
            config, MergeConfig.defaults(), IntervalLog.NONE, HeapBudget.of(16 << 20))) {
      int limit = sidecar.server().counters().connectionsLimit();
      assertThat(limit).isBetween(2, ReceiveLimits.defaults().maxConnections() - 1);
      while (taken.size() < limit) {
        taken.add(sidecar.welcomed());
      }
      assertThat(sidecar.rejected(RejectReason.CONNECTION_LIMIT)).isZero();
      try (FrameClient oneMore = sidecar.connect()) {
        oneMore.awaitClose();
      }
      assertThat(sidecar.rejected(RejectReason.CONNECTION_LIMIT)).isEqualTo(1);
      assertThat(sidecar.server().counters().connectionsLimit()).isEqualTo(limit);
    } finally {
      for (FrameClient each : taken) {
        each.close();
      }
    }
  }

  /** One that delivers may be silent between two HEALTH, as a sidecar that hands on each 10 s. */
  @Test
  void connections_moreThanAllowed_oneThatNeverDeliveredGivesWay() throws Exception {
    try (RunningServer sidecar = sidecar(2, 10);
        FrameClient delivers = sidecar.welcomed()) {
      delivers.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
      try (FrameClient neverDelivers = sidecar.welcomed()) {
        int refused = 0;
        while (sidecar.rejected(RejectReason.CONNECTION_LIMIT) == refused) { // or it times out
          try (FrameClient next = sidecar.connect()) {
            next.awaitClose();
            refused++;
          }
        }
        assertThat(neverDelivers.rejectedWith(Scope.CONNECTION))
            .isEqualTo(RejectReason.CONNECTION_LIMIT);
      }
      assertThat(delivers.interval(2, 1, 5).awaitAck(2)).isEmpty();
    }
  }

  @Test
  void seriesIds_moreThanAllowedOnAConnection_areRejected() throws Exception {
    try (RunningServer sidecar = sidecar(2, 3);
        FrameClient client = sidecar.welcomed()) {
      for (int id = 1; id <= 4; id++) {
        client.series(id, definition("x", "id", String.valueOf(id)));
      }
      assertThat(client.rejectedWith(Scope.SERIES)).isEqualTo(RejectReason.SERIES_LIMIT);

      client.series(1, definition("x", "id", "1")).interval(1, 1, 5);
      assertThat(client.awaitAck(1)).isEmpty();
    }
  }

  @Test
  void series_namesBeyondSeriesAndOverflowSeries_areRejected() throws Exception {
    try (RunningServer sidecar = sidecar(2, 10);
        FrameClient client = sidecar.welcomed()) {
      for (int id = 1; id <= 5; id++) {
        client.series(id, definition("name" + id));
      }
      assertThat(client.rejectedWith(Scope.SERIES)).isEqualTo(RejectReason.SERIES_LIMIT);
      client.interval(1, 4, 7);

      assertThat(client.awaitAck(1)).isEmpty();
      assertThat(sidecar.total("name4", "overflow", "true").count()).isEqualTo(1);
    }
  }

  @Test
  void connection_withoutHello_isClosed() throws Exception {
    Duration second = Duration.ofSeconds(1);
    try (RunningServer sidecar = sidecar(2, 10, second, Duration.ofMinutes(1));
        FrameClient silent = sidecar.connect()) {
      assertThat(silent.next())
          .isEqualTo(
              new Frame.Reject(
                  Scope.CONNECTION, 0, RejectReason.IDLE.code(), "no HELLO within 1s"));
      silent.awaitClose();
    }
  }

  @Test
  void connection_withoutWholeFrames_isClosedThoughBytesCome() throws Exception {
    Duration second = Duration.ofSeconds(1);
    try (RunningServer sidecar = sidecar(2, 10, second, second);
        FrameClient slow = sidecar.welcomed()) {
      slow.send(new byte[] {0}); // of a header that never comes whole

      assertThat(slow.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.IDLE);
      slow.awaitClose();
    }
  }

  @Test
  void connection_notReadFromAsTheJournalIsFull_isNotIdle() throws Exception {
    FullLog disk = new FullLog();
    ReceiveLimits limits = limits(5, 5, Duration.ofSeconds(2), Duration.ofSeconds(1));
    ReceiveConfig config = new ReceiveConfig("127.0.0.1", 0, null, limits);
    try (RunningServer sidecar = new RunningServer(config, MergeConfig.defaults(), disk);
        FrameClient held = sidecar.welcomed();
        FrameClient silent = sidecar.connect()) {
      held.series(1, definition("x")).interval(1, 1, 5);
      // Twice the idle time of the one that is not read from since its HELLO.
      assertThat(silent.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.IDLE);
      silent.awaitClose();
      assertThat(sidecar.rejected(RejectReason.IDLE)).isEqualTo(1);

      disk.makeRoom();
      assertThat(held.awaitAck(1)).isEmpty();
      assertThat(held.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.IDLE);
      assertThat(sidecar.total("x").count()).isEqualTo(1);
    }
  }

  @Test
  void health_badName_isDroppedAndCounted() throws Exception {
    try (RunningServer sidecar = sidecar(2, 10);
        FrameClient client = sidecar.welcomed()) {
      client.send(HandMadeFrames.frame(8, new byte[] {0, 1, 0, 1, 'X', 0, 0, 0, 0, 0, 0, 0, 1}));
      client.series(1, definition("x")).interval(1, 1, 5);

      assertThat(client.awaitAck(1)).isEmpty();
      assertThat(sidecar.rejected(RejectReason.BAD_FRAME)).isEqualTo(1);
      assertThat(sidecar.server().health().clients())
          .singleElement()
          .matches(c -> c.figures().isEmpty());
    }
  }

  @Test
  void health_ofMoreClientsThanAreKept_isDroppedAndCountedApart() throws Exception {
    try (RunningServer sidecar = sidecar(1, 10)) {
      try (FrameClient gone = sidecar.welcomed()) {
        gone.send(new FrameEncoder().health(Map.of("series", 1L)));
      }
      RunningServer.eventually(() -> sidecar.server().counters().connections() == 0);

      try (FrameClient client = sidecar.welcomed()) {
        client.send(new FrameEncoder().health(Map.of("series", 1L)));
        client.series(1, definition("x")).interval(1, 1, 5);

        assertThat(client.awaitAck(1)).isEmpty();
      }
      assertThat(sidecar.server().counters().healthDroppedFrames()).isEqualTo(1);
      assertThat(sidecar.rejected(RejectReason.CONNECTION_LIMIT)).isZero();
    }
  }

  @Test
  void frame_largerThanTheUsualBuffer_isRead() throws Exception {
    try (RunningServer sidecar = new RunningServer();
        FrameClient client = sidecar.welcomed()) {
      long[] values = new long[60_000];
      for (int i = 0; i < values.length; i++) {
        values[i] = i * 7_919L;
      }
      client.series(1, definition("wide")).interval(1, 1, values).interval(2, 1, 5);

      assertThat(client.awaitAck(2)).isEmpty();
      assertThat(sidecar.total("wide").count()).isEqualTo(60_001);
    }
  }

  @Test
  void answers_notRead_stopTheReadingOfThatClientAlone() throws Exception {
    try (RunningServer sidecar = new RunningServer();
        FrameClient other = sidecar.welcomed()) {
      other.series(1, definition("other"));
      Thread flood;
      try (FrameClient deaf = sidecar.welcomed()) {
        flood = new Thread(() -> floodWithRefusedSeries(deaf), "flood");
        flood.start();
        RunningServer.eventually(() -> sidecar.server().counters().pauses() > 0);

        other.interval(1, 1, 5).awaitAck(1);
      }
      flood.join();
    }
  }

  private static void floodWithRefusedSeries(FrameClient client) {
    byte[] refused = new FrameEncoder().series(1, definition("hdr_reserved")).take();
    try {
      while (true) {
        client.send(refused);
      }
    } catch (IOException closed) {
      // The end of the flood.
    }
  }

  /** To forget one of them would count twice what it sends again; a new one can wait. */
  @Test
  void instances_moreThanAPeerMayLeave_areRefusedAndNoneIsForgotten(@TempDir Path folder)
      throws Exception {
    Path socket = folder.resolve("ingest.sock");
    Duration minute = Duration.ofMinutes(1);
    try (RunningServer sidecar = sidecar(20, 10, minute, minute, socket)) {
      comeAndGo(sidecar, 1, 10);

      try (FrameClient eleventh = sidecar.connect()) {
        eleventh.sendHello(new InstanceId(0, 11));
        assertThat(eleventh.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.INSTANCE_LIMIT);
        eleventh.awaitClose();
      }
      assertThat(sidecar.rejected(RejectReason.INSTANCE_LIMIT)).isEqualTo(1);
      for (long i = 1; i <= 10; i++) {
        assertThat(lastSequence(sidecar, i)).isEqualTo(1);
      }
      try (FrameClient other = new FrameClient(UnixDomainSocketAddress.of(socket))) {
        assertThat(other.hello(new InstanceId(0, 12)).lastSequence()).isZero();
      }
    }
  }

  @Test
  void hello_whileTheOldConnectionIsHalfOpen_keepsTheInstanceOnce() throws Exception {
    InstanceId x = new InstanceId(0, 100);
    try (RunningServer sidecar = sidecar(20, 10)) {
      try (FrameClient halfOpen = sidecar.connect()) {
        halfOpen.hello(x);
        halfOpen.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
        try (FrameClient back = sidecar.connect()) {
          assertThat(back.hello(x).lastSequence()).isEqualTo(1);
          halfOpen.awaitClose();
          RunningServer.eventually(() -> sidecar.server().counters().connections() == 1);
          assertThat(sidecar.server().counters().instances()).isEqualTo(1);
          comeAndGo(sidecar, 1, 9);
          back.series(1, definition("x")).interval(2, 1, 6).awaitAck(2);
        }
      }
      RunningServer.eventually(() -> sidecar.server().counters().connections() == 0);
      try (FrameClient new10 = sidecar.connect()) {
        new10.sendHello(new InstanceId(0, 10));
        assertThat(new10.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.INSTANCE_LIMIT);
      }

      assertThat(lastSequence(sidecar, 1)).isEqualTo(1);
      try (FrameClient again = sidecar.connect()) {
        assertThat(again.hello(x).lastSequence()).isEqualTo(2);
        again.series(1, definition("x")).interval(2, 1, 6).interval(3, 1, 7).awaitAck(3);
      }
      assertThat(sidecar.total("x").count()).isEqualTo(3 + 9);
    }
  }

  /** Instances that send one value each and leave, one after the other. */
  private static void comeAndGo(RunningServer sidecar, long first, long last) throws Exception {
    int connections = sidecar.server().counters().connections();
    for (long i = first; i <= last; i++) {
      try (FrameClient client = sidecar.connect()) {
        client.hello(new InstanceId(0, i));
        client.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
      }
      RunningServer.eventually(() -> sidecar.server().counters().connections() == connections);
    }
  }

  private static long lastSequence(RunningServer sidecar, long instance) throws Exception {
    try (FrameClient client = sidecar.connect()) {
      return client.hello(new InstanceId(0, instance)).lastSequence();
    }
  }

  @Test
  void limits_outOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SettingRecords.of(ReceiveLimits.class, Map.of("ingest.max-body", "4095B")))
        .withMessage("must be from 4KiB to 64MiB: 4095B");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ReceiveConfig(
                    "h", 0, Path.of("/" + "x".repeat(101)), ReceiveLimits.defaults()));
  }
}

package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.StoreClock;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import io.hdrsidecar.sidecar.receive.ReceiveLimits;
import io.hdrsidecar.tests.support.Eventually;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The wall clock jumps under a real client, a real ingest server and a real journal: no count
 * changes, and a window misses the interval that spans the jump at most.
 */
final class ClockIT {
  private static final SeriesKey SERIES = new SeriesKey("clock", Labels.empty());
  private static final Duration INTERVAL = Duration.ofMillis(50);

  /** The window of {@link MergeConfig#defaults()}, and a step of it, with room to spare. */
  private static final Duration LONGER_THAN_THE_WINDOW = Duration.ofSeconds(90);

  @TempDir Path journal = Path.of("set by JUnit");

  /** The system's clock, until somebody sets it. */
  private static final class SetClock implements InstantSource {
    private volatile Duration offset = Duration.ZERO;

    void jump(Duration by) {
      Duration after = offset.plus(by);
      offset = after;
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(offset);
    }
  }

  private final SetClock clientClock = new SetClock();
  private final SetClock sidecarClock = new SetClock();
  private volatile long monotonicOffset;

  /** Store, journal and ingest server as the sidecar puts them together. */
  private final class Ingest implements AutoCloseable {
    private final SeriesStore store;
    private final Journal log;
    private final FrameServer server;
    private final Vertx vertx = Vertx.vertx();
    private final String deployed;

    Ingest(int port) throws Exception {
      store =
          new SeriesStore(
              MergeConfig.defaults(), sidecarClock, () -> System.nanoTime() + monotonicOffset);
      log = Journal.open(JournalConfig.in(journal), store, sidecarClock);
      server =
          new FrameServer(
              new ReceiveConfig("127.0.0.1", port, null, ReceiveLimits.defaults()),
              store,
              log,
              log.remembered(),
              List.of(),
              HeapBudget.ofThisProcess());
      deployed = await(vertx.deployVerticle(server));
      new StoreClock(vertx, server.mergeContext(), store, server::sweep).start();
    }

    private static <T> T await(Future<T> future) {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(30, TimeUnit.SECONDS)
          .join();
    }

    private Distribution read(Consumer<Distribution> reader) {
      Distribution counted = new Distribution();
      reader.accept(counted);
      return counted;
    }

    Distribution total() {
      return read(store.find(SERIES).orElseThrow()::readTotal);
    }

    Distribution window() {
      return read(into -> store.find(SERIES).orElseThrow().readWindow(0, into));
    }

    /** In the order of the sidecar's: the journal's end needs the merge context. */
    @Override
    public void close() {
      await(vertx.undeploy(deployed));
      log.close();
      await(vertx.close());
    }
  }

  private HdrSidecarClient client(int port) {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address("tcp://127.0.0.1:" + port)
            .interval(INTERVAL)
            .clock(clientClock.withZone(ZoneOffset.UTC))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
            .build());
  }

  /** All values that a client has recorded are acknowledged, so in the window and journal. */
  private static void record(HdrSidecarClient client, long first, long last) throws Exception {
    LatencyRecorder recorder = client.recorder("clock");
    for (long value = first; value <= last; value++) {
      recorder.record(value);
    }
    Eventually.holds(
        () ->
            assertThat(client.health().acknowledgedValues())
                .isEqualTo(client.health().harvestedValues())
                .isEqualTo(last));
  }

  private static void assertHasExactly(Distribution counted, long last) {
    assertThat(counted.count()).isEqualTo(last);
    assertThat(counted.sum().toString()).isEqualTo(Long.toString(last * (last + 1) / 2));
    assertThat(counted.max()).isEqualTo(last);
  }

  @ParameterizedTest
  @CsvSource({"-60, -60", "60, 60", "0, -60", "60, 0"})
  void wallClocks_jump_changeNoCountAndNoWindowForMoreThanOneInterval(
      long clientMinutes, long sidecarMinutes) throws Exception {
    try (Ingest ingest = new Ingest(0);
        HdrSidecarClient client = client(ingest.server.actualPort())) {
      record(client, 1, 1_000);
      assertThat(ingest.window().count()).isEqualTo(1_000);

      clientClock.jump(Duration.ofMinutes(clientMinutes));
      sidecarClock.jump(Duration.ofMinutes(sidecarMinutes));
      // What is recorded now may share an interval with the moment of the jump...
      record(client, 1_001, 1_100);
      assertThat(ingest.window().count()).isIn(1_000L, 1_100L);
      long missed = 1_100 - ingest.window().count();
      // ...and this may not: that interval is settled.
      record(client, 1_101, 3_000);
      assertThat(ingest.window().count()).isEqualTo(3_000 - missed);

      // Nothing leaves the window early, and all of it in time.
      ingest.store.advanceWindows();
      assertThat(ingest.window().count()).isEqualTo(3_000 - missed);
      monotonicOffset = LONGER_THAN_THE_WINDOW.toNanos();
      Eventually.holds(() -> assertThat(ingest.window().count()).isZero());
      record(client, 3_001, 3_500);
      assertThat(ingest.window().count()).isEqualTo(500);
      assertHasExactly(ingest.total(), 3_500);
    }
  }

  /** The journal has stamps of both times, and a client that goes on over the restart. */
  @ParameterizedTest
  @CsvSource({"-60", "60"})
  void sidecar_restartedAfterAJump_hasEveryCountOnce(long minutes) throws Exception {
    int port;
    Ingest first = new Ingest(0);
    port = first.server.actualPort();
    try (HdrSidecarClient client = client(port)) {
      record(client, 1, 1_000);
      clientClock.jump(Duration.ofMinutes(minutes));
      sidecarClock.jump(Duration.ofMinutes(minutes));
      record(client, 1_001, 1_100);
      record(client, 1_101, 2_000);
      first.close();
      try (Ingest second = new Ingest(port)) {
        assertHasExactly(second.total(), 2_000);
        assertThat(second.log.status().recovery().missing()).isZero();
        // The values before the jump are of an unknown age, those behind its interval are not.
        assertThat(second.window().count()).isBetween(900L, 2_000L);

        record(client, 2_001, 3_000);
        assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
        assertHasExactly(second.total(), 3_000);
      }
    }
  }

  /** As no interval may be of an age that the clocks do not give. */
  @Test
  void intervals_ofAnHourAgo_areCountedAndInNoWindow() throws Exception {
    try (Ingest ingest = new Ingest(0)) {
      clientClock.jump(Duration.ofHours(-1));
      try (HdrSidecarClient client = client(ingest.server.actualPort())) {
        record(client, 1, 1_000);
        assertHasExactly(ingest.total(), 1_000);
        assertThat(ingest.window().count()).isZero();
      }
    }
  }
}

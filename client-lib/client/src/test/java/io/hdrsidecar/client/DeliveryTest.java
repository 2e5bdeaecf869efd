package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.internal.send.Verdict;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the sidecar does, each recorded value is merged exactly once. */
class DeliveryTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Path directory;

  DeliveryTest(@TempDir Path directory) {
    this.directory = directory;
  }

  private Path socket() {
    return directory.resolve("sidecar.sock");
  }

  private static ClientConfig.Builder configFor(TestPeer peer) {
    return ClientConfig.builder()
        .address(peer.address())
        .interval(Duration.ofMillis(20))
        .backoff(Duration.ofMillis(5), Duration.ofMillis(50))
        .shutdownHook(false);
  }

  /** A client that cannot connect before the peer is as the test wants it. */
  private static HdrSidecarClient clientOf(TestPeer peer, Consumer<TestPeer> settings) {
    settings.accept(peer);
    return HdrSidecarClient.create(configFor(peer).build());
  }

  private static void recordAll(LatencyRecorder recorder, long[] values) {
    Arrays.stream(values).forEach(recorder::record);
  }

  /** Records in small portions, so that they fall into many intervals. */
  private static void recordInPortions(
      HdrSidecarClient client, LatencyRecorder recorder, long[] values, int portions) {
    for (int i = 0; i < portions; i++) {
      long harvested = client.health().harvestedValues();
      int from = (int) ((long) values.length * i / portions);
      int to = (int) ((long) values.length * (i + 1) / portions);
      recordAll(recorder, Arrays.copyOfRange(values, from, to));
      Await.until("next sample", () -> client.health().harvestedValues() > harvested);
    }
  }

  private static void assertDelivered(HdrSidecarClient client) {
    assertThat(client.close(LONG)).isEqualTo(new DeliveryResult(true, 0, 0));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"tcp", "unix"})
  void record_fromFourThreads_arrivesExactly(String transport) throws Exception {
    try (TestPeer peer =
            transport.equals("tcp") ? TestPeer.onTcp() : TestPeer.onUnixSocket(socket());
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      LatencyRecorder recorder = client.recorder("checkout", Labels.of("route", "/pay"));
      long[][] raw = new long[4][];
      Thread[] threads = new Thread[4];
      for (int i = 0; i < threads.length; i++) {
        long[] values = RawValues.latencies(200_000, i);
        raw[i] = values;
        threads[i] = new Thread(() -> recordAll(recorder, values));
        threads[i].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }

      assertDelivered(client);

      assertThat(peer.breaches()).isEmpty();
      Await.until("goodbye", () -> peer.goodbyes() == 1);
      RawValues.assertArrived(peer.merged("checkout{route=\"/pay\"}"), RawValues.joined(raw));
    }
  }

  @Test
  void record_beforeTheSidecarIsThere_arrivesOnceItIs() throws IOException {
    long[] raw = RawValues.latencies(10_000, 1);
    try (TestPeer peer = TestPeer.notYetOn(socket());
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      recordInPortions(client, client.recorder("early"), raw, 5);
      assertThat(client.health().pendingIntervals()).isEqualTo(1);
      assertThat(client.health().joinedIntervals()).isGreaterThanOrEqualTo(4);
      assertThat(client.health().connected()).isFalse();

      peer.start();
      Await.until("delivery", () -> client.health().acknowledgedValues() == raw.length);

      assertDelivered(client);
      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.newIntervals()).isEqualTo(1);
      RawValues.assertArrived(peer.merged("early"), raw);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Verdict.class,
      names = {
        "MERGE_AND_CLOSE",
        "CLOSE",
        "MERGE_AND_SEND_GARBAGE",
        "MERGE_AND_ACKNOWLEDGE_TOO_MUCH"
      })
  void connection_thatBreaksAtAnInterval_losesAndDoublesNothing(Verdict verdict)
      throws IOException {
    long[] raw = RawValues.latencies(20_000, 2);
    try (TestPeer peer = TestPeer.onUnixSocket(socket());
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      AtomicBoolean breaks = new AtomicBoolean();
      peer.judge((n, series) -> breaks.getAndSet(false) ? verdict : Verdict.ACKNOWLEDGE);

      for (int to = raw.length / 4; to <= raw.length; to += raw.length / 4) {
        breaks.set(true);
        long[] part = Arrays.copyOfRange(raw, to - raw.length / 4, to);
        recordInPortions(client, client.recorder("checkout"), part, 2);
        long values = to;
        Await.until("delivery", () -> client.health().acknowledgedValues() == values);
      }
      assertDelivered(client);

      assertThat(client.health().reconnects()).isGreaterThanOrEqualTo(4);
      assertThat(client.health().lostValues()).isEmpty();
      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.hellos())
          .extracting("instance")
          .containsOnly(peer.hellos().get(0).instance());
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @ParameterizedTest(name = "merged without a word: {0}, then closed; known afterwards: {1}")
  @CsvSource({"1, true", "3, true", "5, true", "5, false"})
  void connection_lostWithIntervalsInFlight_resendsWhatWelcomeDoesNotName(int silent, boolean known)
      throws IOException {
    long[] raw = RawValues.latencies(20_000, 3);
    try (TestPeer peer = TestPeer.onUnixSocket(socket());
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      peer.judge(
          (n, series) ->
              n <= silent
                  ? Verdict.MERGE_SILENTLY
                  : n == silent + 1 ? Verdict.CLOSE : Verdict.ACKNOWLEDGE);
      if (!known) {
        peer.judge((n, series) -> n <= silent ? Verdict.CLOSE : Verdict.ACKNOWLEDGE);
      }

      // Before there is a connection intervals are joined, and might be too few for a close.
      Await.until("connection", () -> client.health().connected());
      recordInPortions(client, client.recorder("checkout"), raw, 10);
      assertDelivered(client);

      assertThat(client.health().resentIntervals()).isGreaterThanOrEqualTo(1);
      assertThat(peer.breaches()).isEmpty();
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void sidecar_thatRestartsWithoutMemory_getsEverythingNotAcknowledged() throws IOException {
    long[] raw = RawValues.latencies(20_000, 4);
    try (TestPeer peer = TestPeer.onUnixSocket(socket());
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      LatencyRecorder recorder = client.recorder("checkout");
      recordInPortions(client, recorder, Arrays.copyOfRange(raw, 0, 10_000), 3);
      Await.until("delivery", () -> client.health().acknowledgedValues() == 10_000);

      peer.stop();
      peer.settledOfAll(0);
      recordInPortions(client, recorder, Arrays.copyOfRange(raw, 10_000, raw.length), 3);
      peer.start();

      assertDelivered(client);
      assertThat(peer.breaches()).isEmpty();
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void sidecar_thatStopsReading_delaysAndLosesNothing() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(socket());
        HdrSidecarClient client = clientOf(peer, first -> first.limits(1 << 20, 2, 1))) {
      LatencyRecorder[] recorders =
          Stream.iterate(0, i -> i + 1)
              .limit(20)
              .map(i -> client.recorder("checkout", Labels.of("route", "r" + i)))
              .toArray(LatencyRecorder[]::new);
      Await.until("connection", () -> client.health().connected());
      peer.readNothingMore(true);

      long[] raw = RawValues.latencies(200, 5);
      for (int round = 0; round < 20; round++) {
        long harvested = client.health().harvestedValues();
        for (LatencyRecorder recorder : recorders) {
          recordAll(recorder, raw);
        }
        Await.until("next sample", () -> client.health().harvestedValues() > harvested);
      }
      assertThat(client.health().inFlightIntervals()).isLessThanOrEqualTo(2);
      assertThat(client.health().pendingIntervals()).isLessThanOrEqualTo(recorders.length);
      assertThat(client.health().joinedIntervals()).isPositive();

      peer.readNothingMore(false);
      assertDelivered(client);
      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.mergedValues()).isEqualTo(20L * 20 * raw.length);
    }
  }

  @Test
  void sidecar_thatNeverAnswers_isLeftAndTriedAgain() throws IOException {
    long[] raw = RawValues.latencies(5_000, 6);
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient client =
            HdrSidecarClient.create(configFor(peer).stallTimeout(Duration.ofMillis(100)).build())) {
      peer.judge((n, series) -> n <= 2 ? Verdict.MERGE_SILENTLY : Verdict.ACKNOWLEDGE);

      recordInPortions(client, client.recorder("checkout"), raw, 2);
      Await.until("delivery", () -> client.health().acknowledgedValues() == raw.length);

      assertThat(client.health().reconnects()).isPositive();
      assertThat(peer.breaches()).isEmpty();
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void welcome_withWrongChecksum_isNotBelieved() throws IOException {
    long[] raw = RawValues.latencies(5_000, 7);
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient client = clientOf(peer, first -> first.badWelcome(true))) {
      recordInPortions(client, client.recorder("checkout"), raw, 2);
      Await.until("several attempts", () -> peer.hellos().size() >= 3);
      assertThat(client.health().connected()).isFalse();

      peer.badWelcome(false);
      assertDelivered(client);
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void connection_refused_isTriedAgain() throws IOException {
    long[] raw = RawValues.latencies(5_000, 8);
    try (TestPeer peer = TestPeer.onTcp()) {
      peer.refuseConnections(3);
      try (HdrSidecarClient client =
          HdrSidecarClient.create(
              configFor(peer).token("secret").commonLabels(Labels.of("pod", "a")).build())) {
        recordInPortions(client, client.recorder("checkout"), raw, 2);
        assertDelivered(client);
      }
      assertThat(peer.hellos()).hasSizeGreaterThanOrEqualTo(4);
      assertThat(peer.hellos().get(0).token()).isEqualTo("secret");
      assertThat(peer.hellos().get(0).commonLabels()).isEqualTo(Labels.of("pod", "a"));
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void series_refused_isCountedAsLostAndHurtsNoOther() throws IOException {
    long[] raw = RawValues.latencies(5_000, 9);
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      peer.refuseSeries("unwanted");
      LatencyRecorder unwanted = client.recorder("unwanted");
      LatencyRecorder wanted = client.recorder("wanted");
      recordInPortions(client, unwanted, raw, 3);
      recordInPortions(client, wanted, raw, 3);

      assertDelivered(client);

      assertThat(peer.mergedKeys()).containsExactly("wanted");
      RawValues.assertArrived(peer.merged("wanted"), raw);
      long lost = client.health().lostValues().values().stream().mapToLong(Long::longValue).sum();
      assertThat(lost).isEqualTo(raw.length);
      assertThat(client.health().lostValues().keySet())
          .isSubsetOf("series_limit", "unknown_series");
    }
  }

  @Test
  void interval_refused_isCountedAsLost() throws IOException {
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      peer.judge((n, series) -> n == 2 ? Verdict.REJECT : Verdict.ACKNOWLEDGE);
      LatencyRecorder recorder = client.recorder("checkout");
      recordInPortions(client, recorder, RawValues.latencies(100, 1), 1);
      Await.until("first", () -> client.health().acknowledgedValues() == 100);
      recordInPortions(client, recorder, RawValues.latencies(30, 2), 1);
      Await.until("refusal", () -> !client.health().lostValues().isEmpty());
      recordInPortions(client, recorder, RawValues.latencies(7, 3), 1);

      assertDelivered(client);

      assertThat(client.health().lostValues()).containsExactly(Map.entry("count_overflow", 30L));
      assertThat(client.health().acknowledgedValues()).isEqualTo(107);
      assertThat(peer.mergedValues()).isEqualTo(107);
    }
  }

  @Test
  void interval_longerThanTheSidecarTakes_arrivesInParts() throws IOException {
    long[] raw = RawValues.latencies(50_000, 10);
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient client = clientOf(peer, first -> first.limits(1024, 3, 0))) {
      recordAll(client.recorder("checkout"), raw);

      assertDelivered(client);

      assertThat(peer.newIntervals()).isGreaterThan(3);
      assertThat(peer.breaches()).isEmpty();
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void sidecar_thatComesBackWithALowerLimit_getsWhatWasEncodedInParts() throws IOException {
    long[] raw = RawValues.latencies(50_000, 14);
    try (TestPeer peer = TestPeer.onUnixSocket(socket());
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      peer.judge((n, series) -> n == 1 ? Verdict.CLOSE : Verdict.ACKNOWLEDGE);
      Await.until("connection", () -> client.health().connected());
      peer.limits(1024, 3, 0);
      recordAll(client.recorder("checkout"), raw);

      assertDelivered(client);

      assertThat(peer.newIntervals()).isGreaterThan(3);
      assertThat(peer.breaches()).isEmpty();
      RawValues.assertArrived(peer.merged("checkout"), raw);
    }
  }

  @Test
  void twoClients_inOneProcess_keepApart() throws IOException {
    long[] first = RawValues.latencies(5_000, 11);
    long[] second = RawValues.latencies(5_000, 12);
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient a = HdrSidecarClient.create(configFor(peer).build());
        HdrSidecarClient b = HdrSidecarClient.create(configFor(peer).build())) {
      recordInPortions(a, a.recorder("checkout"), first, 3);
      recordInPortions(b, b.recorder("checkout"), second, 3);

      assertDelivered(a);
      assertDelivered(b);

      assertThat(peer.hellos()).extracting("instance").doesNotHaveDuplicates();
      RawValues.assertArrived(peer.merged("checkout"), RawValues.joined(first, second));
    }
  }

  @Test
  void removedRecorder_lastInterval_isStillDelivered() throws IOException {
    long[] raw = RawValues.latencies(5_000, 13);
    try (TestPeer peer = TestPeer.onTcp();
        HdrSidecarClient client = HdrSidecarClient.create(configFor(peer).build())) {
      LatencyRecorder recorder = client.recorder("checkout");
      recordAll(recorder, raw);
      recorder.record(-1);

      assertThat(client.remove(recorder)).isTrue();
      assertThat(client.remove(recorder)).isFalse();

      Await.until("forgotten", () -> client.health().series() == 0);
      assertThat(client.recorder("checkout")).isNotSameAs(recorder);
      client.recorder("checkout").record(5);
      assertDelivered(client);
      assertThat(client.health().clampedNegative()).isEqualTo(1);
      RawValues.assertArrived(peer.merged("checkout"), RawValues.joined(raw, new long[] {0, 5}));
    }
  }
}

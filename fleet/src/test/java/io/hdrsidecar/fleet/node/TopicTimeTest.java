package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.DrivenPartition.HOUR;
import static io.hdrsidecar.fleet.node.DrivenPartition.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.internal.wire.InstanceId;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Series that live, while nothing can come for hours. They end after an hour. */
class TopicTimeTest {
  private static final Uuid TOPIC = Uuid.randomUuid();
  private static final InstanceId SIDECAR = new InstanceId(1, 2);
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");
  private static final FleetSeries CART = SentIntervals.series("checkout", "route", "/cart");

  /** Long ago, so that no time here is in the future of the machine; on a full minute. */
  private static final long T0 = 1_700_000_040_000L;

  @TempDir Path folder = Path.of("");
  private final SentIntervals sent = new SentIntervals();
  private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("numbers").get();

  private void send(DrivenPartition to, FleetSeries series, long number, long at) {
    to.send(SIDECAR, series, sent.value(series, number, at - 1000, at, 5), at);
  }

  /** The first record after that comes a commit before those of other series. */
  @Test
  void series_thatLivedBeforeAnOutage_liveAfterIt() {
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC)) {
      send(partition, PAY, 1, T0);
      send(partition, CART, 2, T0);
      partition.commit();
      send(partition, PAY, 3, T0 + 2 * HOUR);
      partition.commit();
      send(partition, CART, 4, T0 + 2 * HOUR + 10_000);
      partition.commit();
      assertThat(ViewReading.buckets(partition.shown(), CART)).isEqualTo(Map.of(5L, 2L));
      assertThat(ViewReading.buckets(partition.shown(), PAY)).isEqualTo(Map.of(5L, 2L));
    }
  }

  private void passesElsewhere(DrivenPartition partition) {
    for (long at = T0; at <= T0 + HOUR + MINUTE; at += MINUTE) {
      partition.othersGet(at);
    }
  }

  @Test
  void series_ofAPartitionThatGetsNoMore_endAsOthersDo() {
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC)) {
      send(partition, PAY, 1, T0);
      partition.isRead(1, 1);
      passesElsewhere(partition);
      assertThat(partition.entries(NodeTopology.TOTALS)).isEmpty();
      for (long at = T0 + HOUR; at <= T0 + 7 * HOUR; at += MINUTE) {
        partition.othersGet(at);
      }
      assertThat(partition.entries(NodeTopology.STEPS)).isEmpty();
    }
  }

  /** What is behind may have intervals of these very series. */
  @Test
  void series_ofAPartitionThatIsBehind_live() {
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC)) {
      send(partition, PAY, 1, T0);
      partition.isRead(1, 2);
      passesElsewhere(partition);
      partition.isRead(2, 2); // Given out, and not merged yet.
      passesElsewhere(partition);
      assertThat(partition.entries(NodeTopology.TOTALS)).hasSize(1);
    }
  }

  @Test
  void series_ofAPartitionThatGetsNoMore_liveThroughAnOutageOfAll() {
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC)) {
      send(partition, PAY, 1, T0);
      partition.isRead(1, 1);
      partition.othersGet(T0);
      partition.othersGet(T0 + 5 * HOUR);
      partition.othersGet(T0 + 5 * HOUR + MINUTE);
      assertThat(partition.entries(NodeTopology.TOTALS)).hasSize(1);
    }
  }

  @Test
  void outage_isKnownToTheNodeThatTakesThePartitionOver() {
    try (DrivenPartition before = new DrivenPartition(folder, TOPIC)) {
      send(before, PAY, 1, T0);
      send(before, PAY, 2, T0 + 2 * HOUR);

      TopicTime taken = new TopicTime(before.store(NodeTopology.NUMBERS), HOUR);
      taken.passes(T0 + 2 * HOUR);
      assertThat(taken.idleBefore()).isLessThanOrEqualTo(T0);
    }
  }

  private static void passes(TopicTime time, long from, long to) {
    for (long at = from; at <= to; at += MINUTE) {
      time.passes(at);
    }
  }

  /** 30 minutes before, the first 112.5 s of the outage, and the rest after it. */
  @Test
  void time_beforeAndAfterAnOutage_isIdle() {
    TopicTime time = new TopicTime(store, HOUR);
    passes(time, T0, T0 + 30 * MINUTE);
    long again = T0 + 5 * HOUR;
    passes(time, again, again + 28 * MINUTE);
    assertThat(time.idleBefore()).isLessThanOrEqualTo(T0);
    passes(time, again + 28 * MINUTE, again + 29 * MINUTE);
    assertThat(time.idleBefore()).isBetween(T0 + 1, T0 + MINUTE);
    passes(time, again + 29 * MINUTE, again + 61 * MINUTE);
    assertThat(time.idleBefore()).isEqualTo(again + MINUTE);
  }

  @Test
  void time_withoutOutages_isThatOfTheTopic() {
    TopicTime time = new TopicTime(store, HOUR);
    passes(time, T0, T0 + 2 * HOUR);
    time.passes(T0); // By a clock that is behind.
    assertThat(time.nowMillis()).isEqualTo(T0 + 2 * HOUR);
    assertThat(time.idleBefore()).isEqualTo(T0 + HOUR);
    time.write();
    assertThat(store.approximateNumEntries()).isZero();
  }

  /** Where little comes, series take longer to end. What is remembered for that has a bound. */
  @Test
  void pauses_thatMatterNoMore_areForgotten() {
    TopicTime time = new TopicTime(store, HOUR);
    for (int i = 0; i < 100; i++) {
      time.passes(T0 + i * HOUR);
      time.write();
    }
    long idleBefore = time.idleBefore();
    assertThat(idleBefore).isEqualTo(T0 + (99 - 32) * HOUR);
    try (var all = store.all()) {
      assertThat(all.next().value).hasSizeBetween(31 * 16, 33 * 16);
    }
    TopicTime taken = new TopicTime(store, HOUR);
    taken.passes(T0 + 99 * HOUR);
    assertThat(taken.idleBefore()).isEqualTo(idleBefore);

    passes(taken, T0 + 99 * HOUR, T0 + 101 * HOUR);
    taken.write();
    assertThat(store.approximateNumEntries()).isZero();
  }
}

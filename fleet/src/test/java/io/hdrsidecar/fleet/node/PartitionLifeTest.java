package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.DrivenPartition.DAY;
import static io.hdrsidecar.fleet.node.DrivenPartition.HOUR;
import static io.hdrsidecar.fleet.node.DrivenPartition.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.node.NodeCounters.Skip;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a partition keeps, for how long, and what it forgets. */
class PartitionLifeTest {
  private static final Uuid TOPIC = Uuid.randomUuid();
  private static final InstanceId GONE = new InstanceId(1, 2);
  private static final InstanceId LIVING = new InstanceId(3, 4);
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");
  private static final FleetSeries CART = SentIntervals.series("checkout", "route", "/cart");
  private static final byte[] HELP =
      new SeriesDescription("Time to pay.", SentIntervals.HIGHEST).bytes();

  /** Long ago, so that no time here is in the future of the machine; on a full minute. */
  private static final long T0 = 1_700_000_040_000L;

  @TempDir Path folder = Path.of("");
  private final SentIntervals sent = new SentIntervals();

  private static InstanceId sidecar(int number) {
    return new InstanceId(9, number);
  }

  private byte[] interval(FleetSeries of, long number, long at, long value) {
    return sent.value(of, number, at - 1000, at, value);
  }

  private DrivenPartition partition(String name, Uuid topic) {
    return new DrivenPartition(folder.resolve(name), topic);
  }

  /** Something comes each minute: without that no time passes in which a series is idle. */
  private void pass(DrivenPartition in, FleetSeries of, long from, long to) {
    for (long at = from; at <= to; at += MINUTE) {
      in.send(sidecar(0), of, interval(of, at, at, 5), at);
    }
  }

  /** Three records, of which the first is of an instance whose number is forgotten by the third. */
  private void sendThree(DrivenPartition to, byte[]... values) {
    to.send(GONE, PAY, values[0], T0);
    to.send(LIVING, PAY, values[1], T0 + DAY + 1);
    to.send(LIVING, PAY, values[2], T0 + DAY + 2);
  }

  private byte[][] three() {
    return new byte[][] {
      interval(PAY, 9, T0, 5), interval(PAY, 1, T0 + DAY, 6), interval(PAY, 2, T0 + DAY, 7)
    };
  }

  @Test
  void topic_readFromItsBeginningAgain_countsOnce() {
    byte[][] values = three();
    try (DrivenPartition before = partition("before", TOPIC);
        DrivenPartition after = partition("after", TOPIC)) {
      sendThree(before, values);
      after.take(before);
      List<?> totals = after.entries(NodeTopology.TOTALS).stream().map(e -> hash(e.value)).toList();

      sendThree(after, values);

      assertThat(after.counters().duplicates()).isEqualTo(3);
      assertThat(after.entries(NodeTopology.TOTALS).stream().map(e -> hash(e.value)).toList())
          .isEqualTo(totals);
      after.send(LIVING, PAY, interval(PAY, 3, T0 + DAY, 8), T0 + DAY + 3);
      assertThat(after.counters().intervals()).as("and goes on").isOne();
    }
  }

  private static int hash(byte[] value) {
    return Arrays.hashCode(value);
  }

  /** Under the old name, with offsets from 0: nothing of it has been merged. */
  @Test
  void topic_madeAnew_isRead() {
    try (DrivenPartition before = partition("before", TOPIC);
        DrivenPartition after = partition("after", Uuid.randomUuid())) {
      sendThree(before, three());
      after.take(before);

      after.send(LIVING, PAY, interval(PAY, 3, T0 + DAY, 8), T0 + DAY + 3);

      assertThat(after.counters().intervals()).isOne();
    }
  }

  @Test
  void description_goesWithItsSeries() {
    try (DrivenPartition partition = partition("one", TOPIC)) {
      partition.describe(PAY, HELP, T0);
      partition.send(LIVING, PAY, interval(PAY, 1, T0, 5), T0);
      partition.describe(CART, HELP, T0 + HOUR - MINUTE);
      pass(partition, CART, T0, T0 + HOUR);
      partition.send(LIVING, CART, interval(CART, 2, T0, 5), T0 + HOUR + MINUTE);

      assertThat(partition.entries(NodeTopology.TOTALS)).hasSize(1);
      assertThat(partition.entries(NodeTopology.DESCRIPTIONS)).hasSize(2);
      partition.send(LIVING, CART, interval(CART, 3, T0, 5), T0 + HOUR + 2 * MINUTE);
      assertThat(partition.entries(NodeTopology.DESCRIPTIONS))
          .singleElement()
          .satisfies(kept -> assertThat(kept.key.get()).isEqualTo(CART.bytes()));
    }
  }

  @Test
  void description_takenBackOnTheTopic_isGoneAndNothingIsSkipped() {
    try (DrivenPartition partition = partition("one", TOPIC)) {
      partition.describe(PAY, HELP, T0);
      partition.describe(PAY, null, T0);

      assertThat(partition.entries(NodeTopology.DESCRIPTIONS)).isEmpty();
      assertThat(partition.counters().skipped(Skip.MALFORMED_RECORD)).isZero();
    }
  }

  /** Whatever is remembered of them on the heap; after a start that is nothing. */
  @Test
  void series_thatAreIdle_endWithinSomeCommits() {
    HeapShare none = HeapBudget.of(256 << 20).share(Use.INGEST).atMost(0);
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC, none)) {
      for (int i = 0; i < 2000; i++) {
        FleetSeries each = SentIntervals.series("old", "n", "" + i);
        partition.send(LIVING, each, sent.body(1 + i, T0 - 1, T0, 5), T0);
      }
      pass(partition, PAY, T0, T0 + HOUR);
      long later = T0 + HOUR + MINUTE;
      for (int commit = 0; commit < 26; commit++) {
        partition.send(GONE, PAY, interval(PAY, 1 + commit, later, 5), later);
      }
      assertThat(partition.entries(NodeTopology.TOTALS)).hasSize(1);
    }
  }

  /** A commit has 10 s for all upkeep here, of which a quarter is for series. */
  @Test
  void series_thatAreIdle_endFewAtATimeWhereStoresAreSlow() {
    try (DrivenPartition partition = partition("one", TOPIC)) {
      for (int i = 0; i < 100; i++) {
        FleetSeries each = SentIntervals.series("old", "n", "" + i);
        partition.send(LIVING, each, sent.body(1 + i, T0 - 1, T0, 5), T0);
      }
      pass(partition, PAY, T0, T0 + HOUR);
      partition.lookTakes(Duration.ofSeconds(1));
      long later = T0 + HOUR + MINUTE;
      partition.send(GONE, PAY, interval(PAY, 1, later, 5), later);
      assertThat(partition.entries(NodeTopology.TOTALS)).hasSizeBetween(97, 100);
      for (int commit = 0; commit < 100; commit++) {
        partition.send(GONE, PAY, interval(PAY, 2 + commit, later, 5), later);
      }
      assertThat(partition.entries(NodeTopology.TOTALS)).hasSize(1);
    }
  }

  @Test
  void memory_ofWhatIsKnown_isTakenAndGivenBack() {
    HeapShare share = HeapBudget.of(256 << 20).share(Use.INGEST);
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC, share)) {
      partition.send(LIVING, PAY, interval(PAY, 1, T0, 5), T0);
      long one = share.heldBytes();
      assertThat(one).isBetween(500L, 3000L);
      for (int i = 0; i < 100; i++) {
        byte[] again = sent.body(1, T0 - 1, T0, 5);
        partition.send(LIVING, SentIntervals.series("never", "n", "" + i), again, T0);
      }
      assertThat(share.heldBytes()).as("of series that count nothing").isEqualTo(one);
      partition.send(LIVING, CART, interval(CART, 2, T0, 5), T0);
      assertThat(share.heldBytes()).isGreaterThan(one);
    }
    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void memory_thatIsFull_costsThePastOfASeriesAndNoCounts() {
    HeapShare share = HeapBudget.of(256 << 20).share(Use.INGEST).atMost(20_000);
    try (DrivenPartition partition = new DrivenPartition(folder, TOPIC, share)) {
      for (int i = 0; i < 200; i++) {
        FleetSeries each = SentIntervals.series("many", "n", "" + i);
        partition.send(sidecar(i), each, interval(each, 1, T0, 5), T0);
        partition.send(sidecar(i), each, interval(each, 2, T0, 6), T0);
        partition.send(sidecar(i), each, interval(each, 2, T0, 7), T0);
      }
      partition.commit();
      assertThat(share.heldBytes()).isBetween(10_000L, 20_000L);
      assertThat(partition.counters().stepsLeftOut()).isBetween(300L, 399L);
      assertThat(partition.counters().duplicates()).isEqualTo(200);
      assertThat(partition.entries(NodeTopology.TOTALS)).hasSize(200);
      assertThat(partition.shown().series()).hasSize(200);
      assertThat(partition.view().hiddenSeries()).isZero();
    }
    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void series_ofTwoUnits_oneIsHiddenCountedAndNamed() {
    List<String> said = new CopyOnWriteArrayList<>();
    Handler handler = new KeptLines(said);
    Logger logger = Logger.getLogger(FleetView.class.getName());
    logger.addHandler(handler);
    FleetSeries inMillis = new FleetSeries(Unit.MILLISECONDS, PAY.key());
    try (DrivenPartition partition = partition("one", TOPIC)) {
      for (int number = 1; number < 10; number += 2) {
        partition.send(LIVING, PAY, interval(PAY, number, T0, 5), T0);
        partition.send(LIVING, inMillis, sent.body(number + 1, T0 - 1, T0, 9), T0);
        partition.commit();
      }
      assertThat(ViewReading.buckets(partition.shown(), PAY)).isEqualTo(Map.of(5L, 5L));
      assertThat(partition.view().hiddenSeries()).isOne();
      assertThat(said).singleElement().asString().contains("/pay", "MILLISECONDS", "another");
    } finally {
      logger.removeHandler(handler);
    }
  }
}

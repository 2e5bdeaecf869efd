package io.hdrsidecar.fleet.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.node.NodeCounters.Skip;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of a partition, without brokers. The driver commits after each record. */
class NodeTopologyTest {
  private static final TopicNames TOPICS = new TopicNames("hdr");
  private static final InstanceId SIDECAR = new InstanceId(1, 2);
  private static final InstanceId OTHER = new InstanceId(3, 4);
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");
  private static final FleetSeries CART = SentIntervals.series("checkout", "route", "/cart");
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** Long ago, so that no time here is in the future of the machine; on a full minute. */
  private static final long T0 = 1_700_000_040_000L;

  @TempDir Path folder = Path.of("");

  private final SentIntervals sent = new SentIntervals();
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final CommitListener commits = new CommitListener();
  private final NodeCounters counters = new NodeCounters();
  private final StepsPast past = new StepsPast(() -> driver().getKeyValueStore("steps"));
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> intervals;
  private TestInputTopic<byte[], byte[]> series;

  private TopologyTestDriver driver() {
    return driver;
  }

  @BeforeEach
  void start() {
    NodeParts parts =
        new NodeParts(
            TOPICS,
            Uuid.randomUuid(),
            new MergeLimits(1 << 19, 4, 64 << 20, HOUR, DAY, MINUTE, 0),
            KeptMemory.of(HeapBudget.of(256 << 20).share(Use.INGEST)),
            StepLengths.of(Duration.ofMinutes(30), Duration.ofHours(6)),
            commits,
            new FleetView(store, Runnable::run),
            past,
            counters);
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    driver = new TopologyTestDriver(NodeTopology.of(TOPICS, parts), config);
    ByteArraySerializer bytes = new ByteArraySerializer();
    intervals = driver.createInputTopic(TOPICS.intervals(), bytes, bytes);
    series = driver.createInputTopic(TOPICS.series(), bytes, bytes);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void send(InstanceId from, FleetSeries to, long number, long at, long... values) {
    send(of(from), to.bytes(), sent.value(to, number, at - 1000, at, values), at);
  }

  private static Headers of(InstanceId instance) {
    return SentIntervals.of(instance);
  }

  private void send(Headers headers, byte @Nullable [] key, byte @Nullable [] value, long at) {
    intervals.pipeInput(new TestRecord<>(key, value, headers, at));
  }

  /** Something comes each minute: without that no time passes in which a series is idle. */
  private void pass(long from, long to) {
    for (long at = from; at <= to; at += MINUTE) {
      send(OTHER, SentIntervals.series("other"), at, at, 1);
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7})
  void intervals_ofManySidecars_areCountedAsHdrHistogramCountsAllValues(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] numbers = new long[4];
    for (int i = 0; i < 400; i++) {
      int sidecar = random.nextInt(numbers.length);
      numbers[sidecar] += random.nextInt(1, 4); // the others went to other partitions
      long[] values =
          random.longs(random.nextInt(1, 60)).map(v -> (v >>> 1) % SentIntervals.HIGHEST).toArray();
      send(
          new InstanceId(0, sidecar),
          random.nextBoolean() ? PAY : CART,
          numbers[sidecar],
          T0 + i * 100L,
          values);
    }
    commits.committed();
    for (FleetSeries each : List.of(PAY, CART)) {
      assertThat(ViewReading.buckets(store, each)).isEqualTo(sent.buckets(each));
      assertThat(ViewReading.total(store, each).sum().toBigInteger()).isEqualTo(sent.sum(each));
    }
    assertThat(counters.duplicates()).isZero();
  }

  @Test
  void interval_notCommitted_isNotShown() {
    send(SIDECAR, PAY, 1, T0, 5);
    assertThat(store.find(PAY.key())).isEmpty();
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(Map.of(5L, 1L));
  }

  @Test
  void interval_sentAgain_countsOnce() {
    byte[] first = sent.value(PAY, 10, T0, T0 + 1, 5);
    byte[] second = sent.value(CART, 12, T0, T0 + 1, 6);
    for (int i = 0; i < 3; i++) {
      send(of(SIDECAR), PAY.bytes(), first, T0 + i);
      send(of(SIDECAR), CART.bytes(), second, T0 + i);
    }
    send(OTHER, PAY, 10, T0, 7); // the same number of another
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(sent.buckets(PAY));
    assertThat(ViewReading.buckets(store, CART)).isEqualTo(sent.buckets(CART));
    assertThat(counters.duplicates()).isEqualTo(4);
  }

  @Test
  void bytes_ofSomebodyElse_areSkippedAndCounted() {
    byte[] good = sent.body(1, T0, T0 + 1, 5);
    byte[] later = PAY.bytes();
    later[0] = 2;
    byte[] damaged = good.clone();
    damaged[72] ^= 1; // the cookie
    byte[] miscounted = good.clone();
    miscounted[35] = 9;
    send(of(SIDECAR), null, good, T0);
    send(of(SIDECAR), "hello".getBytes(UTF_8), good, T0);
    send(of(SIDECAR), later, good, T0);
    send(of(SIDECAR), PAY.bytes(), null, T0);
    send(new RecordHeaders(), PAY.bytes(), good, T0);
    send(of(SIDECAR), PAY.bytes(), sent.body(0, T0, T0 + 1, 5), T0);
    send(of(SIDECAR), PAY.bytes(), new byte[] {1, 2, 3}, T0);
    send(of(SIDECAR), PAY.bytes(), damaged, T0);
    send(of(SIDECAR), PAY.bytes(), miscounted, T0);
    send(of(SIDECAR), PAY.bytes(), sent.body(1, T0 + 1, T0, 5), T0);
    series.pipeInput(new TestRecord<>(PAY.bytes(), new byte[] {9}, new RecordHeaders(), T0));
    send(SIDECAR, PAY, 1, T0, 5); // and the partition goes on
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(sent.buckets(PAY));
    assertThat(counters.skipped(Skip.MALFORMED_RECORD)).isEqualTo(7);
    assertThat(counters.skipped(Skip.MALFORMED_INTERVAL)).isEqualTo(2);
    assertThat(counters.skipped(Skip.MISMATCH)).isEqualTo(2);
  }

  @Test
  void counts_beyond63Bits_areSkippedAndCounted() {
    Histogram many = new Histogram(1, SentIntervals.HIGHEST, 3);
    many.recordValueWithCount(5, Long.MAX_VALUE);
    byte[] huge = SentIntervals.withCount(sent.body(1, T0, T0 + 1, many, 5), Long.MAX_VALUE);
    send(of(SIDECAR), PAY.bytes(), huge, T0);
    send(of(OTHER), PAY.bytes(), huge, T0);
    commits.committed();
    assertThat(ViewReading.total(store, PAY).count()).isEqualTo(Long.MAX_VALUE);
    assertThat(counters.skipped(Skip.NO_ROOM)).isEqualTo(1);
  }

  @Test
  void description_ofASeries_isItsHelp() {
    byte[] text = new SeriesDescription("Time to pay.", SentIntervals.HIGHEST).bytes();
    series.pipeInput(new TestRecord<>(PAY.bytes(), text, new RecordHeaders(), T0));
    send(SIDECAR, PAY, 1, T0, 5);
    commits.committed();
    assertThat(store.find(PAY.key()).orElseThrow().help()).isEqualTo("Time to pay.");
  }

  @Test
  void interval_anHourLate_isInTheTotalAndInItsOwnTime() throws IOException {
    send(SIDECAR, PAY, 1, T0 + HOUR, 5);
    byte[] late = sent.value(PAY, 2, T0 + 1000, T0 + 2000, 9);
    send(of(SIDECAR), PAY.bytes(), late, T0 + HOUR + 5000);
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(sent.buckets(PAY));
    assertThat(counters.late()).isEqualTo(1);
    assertThat(past(T0, T0 + MINUTE)).isEqualTo(Map.of(9L, 1L));
    assertThat(past(T0 + MINUTE, T0 + HOUR + MINUTE)).isEqualTo(Map.of(5L, 1L));
  }

  @Test
  void steps_ofTenSeconds_becomeMinutesAndThenNothing() throws IOException {
    List<Long> values = new ArrayList<>();
    for (long at = T0; at < T0 + 3 * MINUTE; at += 5000) {
      send(SIDECAR, PAY, 1 + values.size(), at + 500, values.size() + 1L);
      values.add(values.size() + 1L);
    }
    assertThat(steps(T0, T0 + 3 * MINUTE)).isEqualTo(18);
    assertThat(past(T0, T0 + 3 * MINUTE)).hasSize(values.size());

    send(SIDECAR, CART, 1000, T0 + 40 * MINUTE, 1);
    assertThat(steps(T0, T0 + 3 * MINUTE)).isEqualTo(3);
    assertThat(past(T0, T0 + 3 * MINUTE)).hasSize(values.size());
    assertThat(past(T0 + MINUTE, T0 + 2 * MINUTE)).containsOnlyKeys(values.subList(12, 24));

    send(SIDECAR, CART, 1001, T0 + 7 * HOUR, 1);
    assertThat(steps(T0, T0 + 3 * MINUTE)).isZero();
  }

  @Test
  void series_withoutIntervalsForLong_endsAndBeginsFromZero() {
    send(SIDECAR, PAY, 1, T0, 5);
    commits.committed();
    pass(T0, T0 + HOUR);
    send(SIDECAR, CART, 2, T0 + HOUR + MINUTE, 6);
    assertThat(store.find(PAY.key())).as("until that is committed").isPresent();
    commits.committed();
    assertThat(store.find(PAY.key())).isEmpty();
    send(SIDECAR, PAY, 3, T0 + HOUR + 2 * MINUTE, 7);
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(Map.of(7L, 1L));
  }

  /** As when a node comes to an old part of the topic: it merges hours between two commits. */
  @Test
  void series_thatBeginsAndEndsWithinOneCommit_isNotShown() {
    send(SIDECAR, PAY, 1, T0, 5);
    pass(T0, T0 + HOUR);
    send(SIDECAR, CART, 2, T0 + HOUR + MINUTE, 6);
    commits.committed();
    assertThat(store.find(PAY.key())).isEmpty();
    assertThat(store.find(CART.key())).isPresent();

    send(SIDECAR, PAY, 3, T0 + HOUR + 2 * MINUTE, 7);
    pass(T0 + HOUR + 2 * MINUTE, T0 + 3 * HOUR);
    send(SIDECAR, PAY, 4, T0 + 3 * HOUR + MINUTE, 8);
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(Map.of(8L, 1L));
  }

  @Test
  void number_ofAnInstance_isForgottenAfterADay() {
    send(SIDECAR, PAY, 9, T0, 5);
    send(OTHER, PAY, 1, T0 + DAY - 1, 5);
    send(SIDECAR, PAY, 9, T0 + DAY - 1, 5);
    assertThat(counters.duplicates()).isEqualTo(1);
    send(OTHER, PAY, 2, T0 + DAY + 1, 5);
    send(SIDECAR, PAY, 9, T0 + DAY + 2, 5);
    assertThat(counters.duplicates()).isEqualTo(1);
  }

  @Test
  void layouts_ofOneSeries_areKeptApart() {
    send(SIDECAR, PAY, 1, T0, 1_000_001);
    Histogram coarse = new Histogram(1, SentIntervals.HIGHEST, 1);
    coarse.recordValue(1_000_001);
    send(of(SIDECAR), PAY.bytes(), sent.body(2, T0, T0 + 1, coarse, 1_000_001), T0);
    commits.committed();
    assertThat(store.find(PAY.key()).orElseThrow().layouts()).hasSize(2);
    assertThat(ViewReading.total(store, PAY).count()).isEqualTo(2);
  }

  private static RestoredSeries restored(FleetSeries series, int values) {
    SeriesSum total = new SeriesSum();
    count(total, 3, values);
    total.seen(T0, T0, 1);
    return new RestoredSeries(series, new SeriesDescription("", 0), total, List.of());
  }

  @Test
  void series_ofOneName_inTwoUnitsOrPartitions_areShownOnceAndNoneEndsANode() {
    FleetView view = new FleetView(store, Runnable::run);
    FleetSeries inMillis = new FleetSeries(Unit.MILLISECONDS, PAY.key());

    view.restore(0, List.of(restored(PAY, 5), restored(inMillis, 7)));
    view.restore(1, List.of(restored(PAY, 9)));

    assertThat(ViewReading.total(store, PAY).count()).isEqualTo(5);
    assertThat(view.hiddenSeries()).isEqualTo(2);
    view.remove(1);
    assertThat(ViewReading.total(store, PAY).count()).isEqualTo(5);
    assertThat(view.hiddenSeries()).isEqualTo(1);
    view.remove(0);
    assertThat(store.find(PAY.key())).isEmpty();
    assertThat(view.hiddenSeries()).isZero();
  }

  @Test
  void series_stampedByAClockThatIsBehind_doesNotEnd() {
    send(SIDECAR, CART, 1, T0 + 3 * HOUR, 6);
    send(SIDECAR, PAY, 2, T0, 5);
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(sent.buckets(PAY));
    send(SIDECAR, PAY, 3, T0 + MINUTE, 7);
    commits.committed();
    assertThat(ViewReading.buckets(store, PAY)).isEqualTo(sent.buckets(PAY));
  }

  @Test
  void time_ofARecordThatHasNone_is0() {
    assertThat(NodeTopology.millis(new ConsumerRecord<>("hdr.series", 0, 0, "", ""), T0)).isZero();
  }

  private static void count(SeriesSum in, int digits, int values) {
    BucketLayout layout = BucketLayout.of(1, digits);
    SparseCounts counts = new SparseCounts();
    counts.visit(layout.indexOf(5), values);
    in.part(layout, SentIntervals.HIGHEST)
        .counts()
        .add(counts, SumMinMax.of(0, 5L * values, true, 5, 5));
  }

  @Test
  void layouts_moreThanASeriesMayHave_costTheirOwnValuesAlone() {
    SeriesSum total = new SeriesSum();
    count(total, 1, 1);
    count(total, 2, 1);
    SeriesSum step = new SeriesSum();
    count(step, 2, 5);
    count(step, 3, 7);
    count(step, 4, 11);

    assertThat(step.removeWhatHasNoRoomIn(total, 3)).isEqualTo(11);

    assertThat(step.values()).isEqualTo(12);
    assertThat(step.counted())
        .extracting(part -> part.layout().significantDigits())
        .containsExactly(2, 3);
  }

  private int steps(long from, long to) {
    return intervals(from, to).size();
  }

  private List<PastInterval> intervals(long from, long to) {
    try (PastReading reading = past.open(from, to)) {
      return reading.intervals(PastSeries.of(PAY.key(), PAY.unit()), Map.of(), 1000);
    }
  }

  private Map<Long, Long> past(long from, long to) throws IOException {
    IntervalSum sum = new IntervalSum();
    try (PastReading reading = past.open(from, to)) {
      for (PastInterval each :
          reading.intervals(PastSeries.of(PAY.key(), PAY.unit()), Map.of(), 1000)) {
        sum.add(each);
      }
    }
    Distribution found = new Distribution();
    sum.counts().addTo(found);
    return ViewReading.buckets(found);
  }
}

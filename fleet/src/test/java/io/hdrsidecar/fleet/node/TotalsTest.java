package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.DrivenPartition.DAY;
import static io.hdrsidecar.fleet.node.DrivenPartition.HOUR;
import static io.hdrsidecar.fleet.node.DrivenPartition.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.internal.wire.InstanceId;
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
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Totals that are written once a minute, read by whoever takes the partition over in between. */
class TotalsTest {
  private static final TopicNames TOPICS = new TopicNames("hdr");

  /** Long ago, so that no time here is in the future of the machine; on a full minute. */
  private static final long T0 = 1_700_000_040_000L;

  @TempDir Path folder = Path.of("");
  private final WatchedStore watched = new WatchedStore(NodeTopology.TOTALS);
  private final KeyValueStore<Bytes, byte[]> steps = store(NodeTopology.STEPS);
  private final KeyValueStore<Bytes, byte[]> numbers = store(NodeTopology.NUMBERS);
  private final KeyValueStore<Bytes, byte[]> descriptions = store(NodeTopology.DESCRIPTIONS);
  private final CommitStore commit = CommitStore.builder(NodeTopology.COMMIT).build();
  private final CommitListener commits = new CommitListener();
  private final StepsPast past = new StepsPast(() -> steps);
  private final NodeCounters counters = new NodeCounters();
  private final SentIntervals sent = new SentIntervals();
  private final Uuid topic = Uuid.randomUuid();
  private long kept = 256 << 20;
  private StepLengths lengths = StepLengths.of(Duration.ofMinutes(30), Duration.ofHours(6));
  private SeriesStore shown = new SeriesStore(MergeConfig.defaults());
  private MockProcessorContext<Void, Void> context = context();
  private PartitionMerge merge = merge();
  private long offset;
  private long totalsWritten;

  private static KeyValueStore<Bytes, byte[]> store(String name) {
    return Stores.inMemoryKeyValueStore(name).get();
  }

  private MockProcessorContext<Void, Void> context() {
    MockProcessorContext<Void, Void> all =
        new MockProcessorContext<>(new Properties(), new TaskId(0, 0), folder.toFile());
    all.addStateStore(watched.store());
    all.addStateStore(steps);
    all.addStateStore(numbers);
    all.addStateStore(descriptions);
    all.addStateStore(commit);
    return all;
  }

  private PartitionMerge merge() {
    return new PartitionMerge(
        new NodeParts(
            TOPICS,
            topic,
            new MergeLimits(1 << 19, 4, 64 << 20, HOUR, DAY, MINUTE, MINUTE),
            KeptMemory.of(HeapBudget.of(256 << 20).share(Use.INGEST).atMost(kept)),
            lengths,
            commits,
            new FleetView(shown, Runnable::run),
            past,
            counters));
  }

  @BeforeEach
  void begin() {
    merge.init(context);
    watched.afterChange(() -> totalsWritten++);
  }

  @AfterEach
  void end() {
    merge.close();
  }

  /** What another node has that finds what was committed. */
  private void takeOver() {
    merge.close();
    shown = new SeriesStore(MergeConfig.defaults());
    context = context();
    merge = merge();
    merge.init(context);
  }

  private void send(FleetSeries to, long recorded, long came, long... values) {
    context.setRecordMetadata(TOPICS.intervals(), 0, offset++);
    byte[] value = sent.value(to, offset, recorded - 1000, recorded, values);
    merge.process(new Record<>(to.bytes(), value, came, SentIntervals.of(new InstanceId(1, 2))));
  }

  private void commit() {
    commit.flushCache();
    commits.committed();
  }

  /** Everything that was sent is in the totals of the view, and in the past. */
  private void requireAll(String as) throws IOException {
    for (FleetSeries series : sent.all()) {
      assertThat(ViewReading.buckets(shown, series)).as(as).isEqualTo(sent.buckets(series));
      assertThat(ViewReading.buckets(ofPast(series))).as(as).isEqualTo(sent.buckets(series));
    }
  }

  private Distribution ofPast(FleetSeries series) throws IOException {
    IntervalSum sum = new IntervalSum();
    try (PastReading reading = past.open(T0 - DAY, T0 + DAY)) {
      for (PastInterval each :
          reading.intervals(PastSeries.of(series.key(), series.unit()), Map.of(), 100_000)) {
        sum.add(each);
      }
    }
    Distribution found = new Distribution();
    sum.counts().addTo(found);
    return found;
  }

  private static FleetSeries series(long number) {
    return SentIntervals.series("checkout", "n", "" + number);
  }

  @Test
  void counts_thatAreTakenOverAtAnyTime_areWhole() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    long now = T0;
    for (int i = 0; i < 4000; i++) {
      now += random.nextInt(4000);
      boolean isLate = random.nextInt(10) == 0;
      long recorded = now - (isLate ? random.nextInt((int) HOUR) : random.nextInt(15_000));
      send(series(random.nextInt(7)), recorded, now, 1 + random.nextInt(1_000_000));
      if (random.nextInt(4) == 0) {
        commit();
      }
      if (random.nextInt(150) == 0) {
        commit();
        takeOver();
        requireAll("seed " + seed + ", record " + i);
      }
    }
    commit();
    requireAll("seed " + seed);
    takeOver();
    requireAll("seed " + seed);
  }

  /** Each is looked at in each sixth commit, when there are more than 64. */
  @Test
  void totals_ofManySeries_areWrittenAboutOnceAMinute() throws IOException {
    int series = 600;
    int tens = 60;
    for (int ten = 0; ten < tens; ten++) {
      long now = T0 + ten * 10_000L;
      for (int i = 0; i < series; i++) {
        send(series(i), now, now, 1 + ten * 1000L);
      }
      commit();
    }
    assertThat(totalsWritten).isBetween(series * 6L, series * 11L);
    takeOver();
    requireAll("after " + tens + " commits");
  }

  /** They are gone before the total would be written for its age. */
  @Test
  void steps_thatAreKeptForLessThanAMinute_areInTheTotal() {
    lengths = StepLengths.of(Duration.ofMinutes(1), Duration.ofSeconds(20));
    takeOver();
    for (int ten = 0; ten < 20; ten++) {
      long now = T0 + ten * 10_000L;
      send(series(0), now, now, 1 + ten * 1000L);
      commit();
      takeOver();
      assertThat(ViewReading.buckets(shown, series(0))).isEqualTo(sent.buckets(series(0)));
    }
  }

  /** Without memory for when a series has steps nobody knows which of them its total has. */
  @Test
  void totals_withoutMemoryToRememberThem_areWhole() {
    for (long memory : new long[] {256 << 20, 0, 256 << 20, 2000, 0}) {
      kept = memory;
      takeOver();
      for (int i = 0; i < 20; i++) {
        long now = T0 + offset * 7000L;
        send(series(0), now, now, 1000 + offset);
        commit();
      }
    }
    takeOver();
    assertThat(ViewReading.buckets(shown, series(0))).isEqualTo(sent.buckets(series(0)));
  }
}

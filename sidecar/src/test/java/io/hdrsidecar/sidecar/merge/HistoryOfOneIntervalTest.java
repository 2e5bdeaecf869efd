package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A history with room for one interval of its series: all that comes is added to that one. */
class HistoryOfOneIntervalTest {
  /** Room for the one interval of 1,000 buckets, and not for two. */
  private static final int BYTES = 4096;

  private static final long[] VALUES = LongStream.range(0, 1000).map(i -> i * 20).toArray();

  private final HandTurnedClock clock = new HandTurnedClock();
  private final History history = new History(BYTES);
  private final SeriesStore store =
      new SeriesStore(new MergeConfig(1000, 4, 100_000, List.of()), clock, clock);
  private final Series series;

  HistoryOfOneIntervalTest() throws Exception {
    store.past().keepIn(history);
    series = store.register(definition("x"));
  }

  private void merge(DecodedHistogram interval, SumMinMax sumMinMax) throws Exception {
    clock.advance(Duration.ofSeconds(1));
    store.merge(series, interval, clock.millis() - 1000, clock.millis(), sumMinMax);
  }

  private void merge(long... values) throws Exception {
    long[] sorted = Arrays.stream(values).sorted().toArray();
    merge(
        decoded(LAYOUT, values),
        SumMinMax.of(0, Arrays.stream(values).sum(), true, sorted[0], sorted[sorted.length - 1]));
  }

  private KeptInterval only() {
    List<KeptInterval> kept = series.historyIntervals(0, Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(kept).hasSize(1);
    return kept.get(0);
  }

  private static Map<Long, Long> buckets(KeptInterval interval) {
    IntervalSum sum = new IntervalSum();
    sum.add(interval);
    Distribution read = new Distribution();
    sum.counts().addTo(read);
    Map<Long, Long> buckets = new TreeMap<>();
    for (int i = 0; i < read.size(); i++) {
      buckets.put(read.lowestAt(i), read.countAt(i));
    }
    return buckets;
  }

  /** Of the raw values, so many times over. */
  private static Map<Long, Long> bucketsOf(long times, long... values) {
    return Arrays.stream(values)
        .boxed()
        .collect(
            Collectors.groupingBy(
                value -> LAYOUT.lowestValueAt(LAYOUT.indexOf(value)),
                TreeMap::new,
                Collectors.summingLong(value -> times)));
  }

  @Test
  void add_toTheOnlyInterval_readersKeepWhatTheyTook() throws Exception {
    merge(VALUES);
    KeptInterval one = only();

    merge(VALUES);
    KeptInterval two = only();
    merge(VALUES);
    merge(VALUES);

    assertThat(one.count()).isEqualTo(VALUES.length);
    assertThat(buckets(one)).isEqualTo(bucketsOf(1, VALUES));
    assertThat(two.count()).isEqualTo(2L * VALUES.length);
    assertThat(buckets(two)).isEqualTo(bucketsOf(2, VALUES));
    assertThat(buckets(only())).isEqualTo(bucketsOf(4, VALUES));
    assertThat(only().merged()).isEqualTo(4);
    assertThat(only().endMillis()).isEqualTo(clock.millis());
  }

  @Test
  void add_bucketsThatTheArrayHasNoRoomFor_areThere() throws Exception {
    merge(VALUES);
    Map<Long, Long> expected = bucketsOf(51, VALUES);
    for (int i = 0; i < 50; i++) {
      long further = 1_000_000 + 1024L * i;
      merge(LongStream.concat(Arrays.stream(VALUES), LongStream.of(further)).toArray());
      expected.putAll(bucketsOf(1, further));
      assertThat(history.usedBytes()).isLessThanOrEqualTo(BYTES);
    }

    assertThat(buckets(only())).isEqualTo(expected);
    assertThat(only().max()).isEqualTo(1_000_000 + 1024 * 49);
    assertThat(history.droppedIntervals()).isZero();
  }

  @Test
  void add_nobodyReadsAnyMore_makesNoGarbage() throws Exception {
    DecodedHistogram interval = decoded(LAYOUT, VALUES);
    SumMinMax sumMinMax = SumMinMax.of(0, Arrays.stream(VALUES).sum(), true, 0, 19_980);
    int warmUp = 200; // counts are above 127 then, and stay below 16,384
    for (int i = 0; i < warmUp; i++) {
      merge(interval, sumMinMax);
    }
    assertThat(only().merged()).isEqualTo(warmUp);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    int intervals = 1000;

    for (int i = 0; i < intervals; i++) {
      merge(interval, sumMinMax);
    }

    long each = (threads.getCurrentThreadAllocatedBytes() - before) / intervals;
    assertThat(each).as("bytes an interval, of %s kept", history.usedBytes()).isLessThan(500);
    assertThat(buckets(only())).isEqualTo(bucketsOf(warmUp + intervals, VALUES));
  }
}

package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the history says, against lists of raw values. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SeriesHistoryTest {
  private static final BucketLayout COARSE = BucketLayout.of(1_000, 2);

  private final HandTurnedClock clock = new HandTurnedClock();

  /** What was recorded, as it was. */
  private record Raw(String series, BucketLayout layout, long start, long end, List<Long> values) {
    LongStream stream() {
      return values.stream().mapToLong(value -> value);
    }
  }

  private final List<Raw> raw = new ArrayList<>();

  private SeriesStore store(History history) {
    SeriesStore store = new SeriesStore(new MergeConfig(1000, 4, 100_000, List.of()), clock, clock);
    store.past().keepIn(history);
    return store;
  }

  private Series merge(
      SeriesStore store, String name, BucketLayout layout, long start, long end, long... values)
      throws Exception {
    Series series = store.register(definition(name, Unit.NANOSECONDS, layout));
    LongStream all = Arrays.stream(values);
    long sum = all.sum();
    long min = Arrays.stream(values).min().orElseThrow();
    long max = Arrays.stream(values).max().orElseThrow();
    store.merge(series, decoded(layout, values), start, end, SumMinMax.of(0, sum, true, min, max));
    raw.add(new Raw(name, layout, start, end, Arrays.stream(values).boxed().toList()));
    return series;
  }

  private static long[] values(SplittableRandom random) {
    long[] values = new long[random.nextInt(1, 40)];
    Arrays.setAll(values, i -> (long) Math.exp(random.nextDouble() * 25));
    return values;
  }

  /** Buckets as values and counts, by the layout's own arithmetic on the raw values. */
  private static Map<String, Long> buckets(List<Raw> of) {
    Map<String, Long> buckets = new TreeMap<>();
    for (Raw interval : of) {
      for (long value : interval.values) {
        int index = interval.layout.indexOf(value);
        String bucket =
            interval.layout.lowestValueAt(index) + "-" + interval.layout.highestValueAt(index);
        buckets.merge(bucket, 1L, Long::sum);
      }
    }
    return buckets;
  }

  private static Map<String, Long> buckets(Distribution read) {
    Map<String, Long> buckets = new TreeMap<>();
    for (int i = 0; i < read.size(); i++) {
      buckets.merge(read.lowestAt(i) + "-" + read.highestAt(i), read.countAt(i), Long::sum);
    }
    return buckets;
  }

  private static void assertIs(Distribution read, List<Raw> expected) {
    long[] all = expected.stream().flatMapToLong(Raw::stream).sorted().toArray();
    assertThat(read.count()).isEqualTo(all.length);
    assertThat(buckets(read)).isEqualTo(buckets(expected));
    assertThat(read.sum().toBigInteger())
        .isEqualTo(
            Arrays.stream(all)
                .mapToObj(BigInteger::valueOf)
                .reduce(BigInteger.ZERO, BigInteger::add));
    if (all.length > 0) {
      assertThat(read.min()).isEqualTo(all[0]);
      assertThat(read.max()).isEqualTo(all[all.length - 1]);
    }
  }

  private List<Raw> overlapping(String series, long from, long to) {
    return raw.stream()
        .filter(r -> r.series.equals(series))
        .filter(r -> r.start < to && (r.end > from || (r.start == r.end && r.start >= from)))
        .toList();
  }

  private static HistoryRange read(Series series, long from, long to, Distribution into) {
    IntervalSum sum = new IntervalSum();
    series.historyIntervals(from, to, Long.MAX_VALUE).forEach(sum::add);
    into.clear();
    sum.counts().addTo(into);
    return sum.range();
  }

  private static List<KeptInterval> kept(Series series) {
    return series.historyIntervals(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private static Distribution counts(KeptInterval interval) {
    IntervalSum sum = new IntervalSum();
    sum.add(interval);
    Distribution counts = new Distribution();
    sum.counts().addTo(counts);
    return counts;
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void historyIntervals_roomForAll_isWhatOverlapsTheRange(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    SeriesStore store = store(new History(8 << 20));
    long origin = clock.millis();
    for (int i = 0; i < 300; i++) {
      long start = origin + random.nextInt(300_000); // in any order
      long end = start + random.nextInt(3) * 500L; // also of no length
      BucketLayout layout = random.nextInt(4) == 0 ? COARSE : LAYOUT;
      merge(store, "s" + random.nextInt(3), layout, start, end, values(random));
    }
    Distribution read = new Distribution();
    for (int i = 0; i < 50; i++) {
      long from = origin + random.nextInt(300_000);
      long to = from + random.nextInt(100_000);
      for (Series series : store.series()) {
        List<Raw> expected = overlapping(series.key().name(), from, to);

        HistoryRange range = read(series, from, to, read);

        assertIs(read, expected);
        assertThat(range.intervals()).isEqualTo(expected.size());
        if (!expected.isEmpty()) {
          assertThat(range.fromMillis())
              .isEqualTo(expected.stream().mapToLong(Raw::start).min().orElseThrow());
          assertThat(range.toMillis())
              .isEqualTo(expected.stream().mapToLong(Raw::end).max().orElseThrow());
        }
      }
    }
  }

  @Test
  void historyIntervals_oneLayout_areInTheOrderOfTheirStarts() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    SeriesStore store = store(new History(8 << 20));
    long origin = clock.millis();
    Series series = store.register(definition("x"));
    for (int i = 0; i < 100; i++) {
      long start = origin + random.nextInt(1_000_000);
      merge(store, "x", LAYOUT, start, start + 1000, values(random));
    }
    List<Raw> inOrder = new ArrayList<>(raw);
    inOrder.sort(Comparator.comparingLong(Raw::start)); // stable: equal starts as they came
    List<Raw> left = new ArrayList<>(inOrder);

    for (KeptInterval each : kept(series)) {
      Raw next = left.remove(0);
      assertThat(each.startMillis()).isEqualTo(next.start);
      assertThat(each.endMillis()).isEqualTo(next.end);
      assertIs(counts(each), List.of(next));
    }

    assertThat(left).isEmpty();
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void add_moreThanFits_losesResolutionAndNoCount(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    History history = new History(192 << 10);
    SeriesStore store = store(history);
    for (int i = 0; i < 3_000; i++) {
      clock.advance(Duration.ofMillis(250));
      // Some come late, up to ten minutes.
      long late = random.nextInt(20) == 0 ? random.nextInt(600_000) : 0;
      long end = clock.millis() - late;
      BucketLayout layout = random.nextInt(4) == 0 ? COARSE : LAYOUT;
      merge(store, "s" + random.nextInt(3), layout, end - 1000, end, values(random));
      assertThat(history.usedBytes()).isLessThanOrEqualTo(history.maxBytes());
    }
    assertThat(history.intervals()).as("it was full").isLessThan(2_000);
    assertThat(history.droppedIntervals()).isZero();
    Distribution read = new Distribution();
    for (Series series : store.series()) {
      List<Raw> all = overlapping(series.key().name(), Long.MIN_VALUE, Long.MAX_VALUE);

      HistoryRange range = read(series, Long.MIN_VALUE, Long.MAX_VALUE, read);

      assertIs(read, all);
      assertThat(range.fromMillis()).isEqualTo(all.stream().mapToLong(Raw::start).min().orElse(0));
      assertThat(range.toMillis()).isEqualTo(all.stream().mapToLong(Raw::end).max().orElse(0));
      assertEachIsSomeOf(series, all);
    }
  }

  /** Each interval kept is a sum of intervals recorded within it, of one layout. */
  private static void assertEachIsSomeOf(Series series, List<Raw> all) {
    for (KeptInterval each : kept(series)) {
      long start = each.startMillis();
      long end = each.endMillis();
      assertThat(
              Map.of(
                  LAYOUT, within(all, LAYOUT, start, end),
                  COARSE, within(all, COARSE, start, end)))
          .anySatisfy(
              (layout, raws) ->
                  assertThat(buckets(raws))
                      .as("%s..%s", start, end)
                      .containsKeys(buckets(counts(each)).keySet().toArray(String[]::new)));
    }
  }

  private static List<Raw> within(List<Raw> all, BucketLayout layout, long start, long end) {
    return all.stream()
        .filter(r -> r.layout.equals(layout) && r.start >= start && r.end <= end)
        .toList();
  }

  @Test
  void add_longAfterItIsFull_keepsWhatIsRecentFiner() throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    SeriesStore store = store(new History(64 << 10));
    long origin = clock.millis();
    Series series = store.register(definition("x"));
    for (int i = 0; i < 20_000; i++) {
      clock.advance(Duration.ofSeconds(1));
      merge(store, "x", LAYOUT, clock.millis() - 1000, clock.millis(), values(random));
    }
    Distribution read = new Distribution();
    long now = clock.millis();

    HistoryRange lastMinute = read(series, now - 60_000, now, read);
    HistoryRange all = read(series, 0, now, read);

    assertThat(read.count())
        .as("no count is lost")
        .isEqualTo(raw.stream().mapToLong(r -> r.values.size()).sum());
    assertThat(all.fromMillis()).isEqualTo(origin);
    assertThat(lastMinute.longestMillis()).isLessThan(all.longestMillis() / 10);
    assertThat(lastMinute.longestMillis()).isLessThanOrEqualTo(10_000);
  }

  @Test
  void add_moreSeriesThanFit_dropsTheOldestAndCountsThem() throws Exception {
    History history = new History(32 << 10);
    SeriesStore store = store(history);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 500; i++) {
      clock.advance(Duration.ofSeconds(1));
      merge(store, "s" + i, LAYOUT, clock.millis() - 1000, clock.millis(), values(random));
      assertThat(history.usedBytes()).isLessThanOrEqualTo(history.maxBytes());
    }
    assertThat(history.droppedIntervals()).isPositive();
    assertThat(history.intervals() + history.droppedIntervals()).isEqualTo(500);
    Distribution read = new Distribution();
    Series last = store.find(definition("s499").key()).orElseThrow();
    read(last, 0, Long.MAX_VALUE, read);
    assertIs(read, overlapping("s499", 0, Long.MAX_VALUE));
    Series first = store.find(definition("s0").key()).orElseThrow();
    assertThat(read(first, 0, Long.MAX_VALUE, read)).isEqualTo(HistoryRange.EMPTY);
  }

  @Test
  void forgetHistory_ofASeries_freesItsMemory() throws Exception {
    History history = new History(1 << 20);
    SeriesStore store = store(history);
    Series a = merge(store, "a", LAYOUT, 0, 1000, 1, 2, 3);
    merge(store, "a", COARSE, 0, 1000, 4);
    long ofA = history.usedBytes();
    merge(store, "b", LAYOUT, 0, 1000, 5);
    long ofBoth = history.usedBytes();

    store.past().forget(a);

    assertThat(history.usedBytes()).isEqualTo(ofBoth - ofA);
    assertThat(history.intervals()).isEqualTo(1);
    assertThat(read(a, 0, 1000, new Distribution())).isEqualTo(HistoryRange.EMPTY);
  }

  @Test
  void merge_withoutHistory_keepsNone() throws Exception {
    SeriesStore store = new SeriesStore(new MergeConfig(10, 4, 100_000, List.of()), clock, clock);
    Series series = merge(store, "a", LAYOUT, 0, 1000, 1);

    assertThat(read(series, 0, 1000, new Distribution())).isEqualTo(HistoryRange.EMPTY);
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {48 << 10, 256}) // room for many, and for one that all are added to
  void historyIntervals_whileTheWriterCoarsens_haveEveryCountOnce(int bytes) throws Exception {
    History history = new History(bytes);
    SeriesStore store = store(history);
    long[] values = {1, 500, 70_000, 8_000_000, 900_000_000, 1L << 35};
    long sum = Arrays.stream(values).sum();
    DecodedHistogram interval = decoded(LAYOUT, values);
    Series series = store.register(definition("x"));
    AtomicBoolean writing = new AtomicBoolean(true);
    CountDownLatch started = new CountDownLatch(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Long> reader =
          () -> {
            Distribution read = new Distribution();
            long reads = 0;
            long before = 0;
            started.countDown();
            do {
              HistoryRange range = read(series, 0, Long.MAX_VALUE, read);
              assertThat(read.count() % values.length).isZero();
              long intervals = read.count() / values.length;
              assertThat(read.sum().low()).isEqualTo(intervals * sum);
              assertThat(intervals).isGreaterThanOrEqualTo(before);
              assertThat(range.intervals()).isLessThanOrEqualTo((int) Math.max(1, intervals));
              before = intervals;
              reads++;
            } while (writing.get());
            return reads;
          };
      List<Future<Long>> readers = List.of(threads.submit(reader), threads.submit(reader));
      started.await();
      for (int i = 0; i < 30_000; i++) {
        clock.advance(Duration.ofSeconds(1));
        store.merge(
            series,
            interval,
            clock.millis() - 1000,
            clock.millis(),
            SumMinMax.of(0, sum, true, 1, 1L << 35));
      }
      writing.set(false);
      for (Future<Long> each : readers) {
        assertThat(each.get()).isPositive();
      }
      Distribution end = new Distribution();
      read(series, 0, Long.MAX_VALUE, end);
      assertThat(end.count()).isEqualTo(30_000L * values.length);
      assertThat(history.intervals()).as("it was coarsened").isLessThan(5_000);
    } finally {
      threads.shutdownNow();
    }
  }
}

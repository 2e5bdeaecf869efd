package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers on other threads see whole intervals only, while the writer goes on. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SeriesReadersTest {
  private static final BucketLayout COARSE = BucketLayout.of(1_000, 2);
  private static final int READERS = 3;

  /** Every interval has one value in each of many buckets, over several pages. */
  private static final long[] VALUES = {1, 500, 70_000, 8_000_000, 900_000_000, 1L << 35, 1L << 41};

  private static final long SUM =
      1 + 500 + 70_000 + 8_000_000 + 900_000_000 + (1L << 35) + (1L << 41);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store =
      new SeriesStore(new MergeConfig(10, 4, 100_000, WindowSpec.parseList("10s")), clock, clock);
  private final ExecutorService threads = Executors.newFixedThreadPool(READERS);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  @Test
  void read_whileIntervalsOfTwoLayoutsAreMerged_seesWholeIntervalsOnly() throws Exception {
    Series series = store.register(definition("x"));
    store.register(definition("x", Unit.NANOSECONDS, COARSE));
    DecodedHistogram fine = decoded(LAYOUT, VALUES);
    DecodedHistogram coarse = decoded(COARSE, VALUES);
    AtomicBoolean writing = new AtomicBoolean(true);
    CountDownLatch readersStarted = new CountDownLatch(READERS);
    List<Future<Long>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(threads.submit(() -> readWhile(writing, series, readersStarted)));
    }
    readersStarted.await();

    int merges = 100_000;
    for (int i = 0; i < merges; i++) {
      clock.advance(Duration.ofMillis(100));
      long now = clock.millis();
      DecodedHistogram interval = i % 2 == 0 ? fine : coarse;
      store.merge(series, interval, now, now, SumMinMax.of(0, SUM, true, VALUES[0], 1L << 41));
      if (i % 50 == 0) {
        store.advanceWindows();
      }
    }
    writing.set(false);

    for (Future<Long> reader : readers) {
      assertThat(reader.get()).as("reads while writing").isPositive();
    }
    Distribution end = new Distribution();
    series.readTotal(end);
    assertThat(end.count()).isEqualTo((long) merges * VALUES.length);
  }

  private static long readWhile(
      AtomicBoolean writing, Series series, CountDownLatch readersStarted) {
    Distribution total = new Distribution();
    Distribution window = new Distribution();
    long reads = 0;
    long before = 0;
    readersStarted.countDown();
    do {
      series.readTotal(total);
      series.readWindow(0, window);
      assertWhole(total);
      assertWhole(window);
      assertThat(total.count()).isGreaterThanOrEqualTo(before);
      before = total.count();
      reads++;
    } while (writing.get());
    return reads;
  }

  /** Whole intervals: as many of each value as of any other, and the sum that belongs to them. */
  private static void assertWhole(Distribution read) {
    assertThat(read.count() % VALUES.length).isZero();
    long intervals = read.count() / VALUES.length;
    assertThat(read.sum().low()).isEqualTo(intervals * SUM);
    if (intervals > 0) {
      assertThat(read.min()).isEqualTo(VALUES[0]);
      assertThat(read.max()).isEqualTo(1L << 41);
      assertThat(countAbove(read, 1L << 40)).isEqualTo(intervals);
      assertThat(countAbove(read, 1L << 34)).isEqualTo(2 * intervals);
      assertThat(countAbove(read, 600_000)).isEqualTo(4 * intervals);
    }
  }

  private static long countAbove(Distribution read, long value) {
    long count = 0;
    for (int i = 0; i < read.size(); i++) {
      count += read.lowestAt(i) > value ? read.countAt(i) : 0;
    }
    return count;
  }

  /** Latencies that jump: tables of pages grow to both sides, and shrink as windows empty. */
  @Test
  void read_whileTablesGrowAndShrink_seesWholeIntervalsOnly() throws Exception {
    Series series = store.register(definition("jumping"));
    long[][] places = {{1 << 20, 1 << 21}, {3, 900}, {1L << 38, 1L << 40}, {1 << 14, 1 << 15}};
    List<DecodedHistogram> intervals = new ArrayList<>();
    for (long[] pair : places) {
      intervals.add(decoded(LAYOUT, pair));
    }
    AtomicBoolean writing = new AtomicBoolean(true);
    List<Future<Long>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(threads.submit(() -> readPairsWhile(writing, series, places)));
    }

    int merges = 100_000;
    for (int i = 0; i < merges; i++) {
      clock.advance(Duration.ofSeconds(i % 7));
      long now = clock.millis();
      long[] pair = places[i % places.length];
      DecodedHistogram interval = intervals.get(i % places.length);
      store.merge(
          series, interval, now, now, SumMinMax.of(0, pair[0] + pair[1], true, pair[0], pair[1]));
    }
    writing.set(false);

    for (Future<Long> reader : readers) {
      assertThat(reader.get()).as("reads while writing").isPositive();
    }
  }

  private static long readPairsWhile(AtomicBoolean writing, Series series, long[][] places) {
    Distribution read = new Distribution();
    long reads = 0;
    do {
      series.readWindow(0, read);
      assertPairs(read, places);
      series.readTotal(read);
      assertPairs(read, places);
      reads++;
    } while (writing.get());
    return reads;
  }

  private static void assertPairs(Distribution read, long[][] places) {
    long sum = 0;
    long count = 0;
    for (long[] pair : places) {
      long times = countAt(read, pair[0]);
      assertThat(countAt(read, pair[1])).isEqualTo(times);
      sum += times * (pair[0] + pair[1]);
      count += 2 * times;
    }
    assertThat(read.count()).isEqualTo(count);
    assertThat(read.sum().low()).isEqualTo(sum);
  }

  private static long countAt(Distribution read, long value) {
    long count = 0;
    for (int i = 0; i < read.size(); i++) {
      count += read.lowestAt(i) == value ? read.countAt(i) : 0;
    }
    return count;
  }

  @Test
  void read_writerThatNeverPauses_endsNevertheless() throws Exception {
    Series series = store.register(definition("busy"));
    DecodedHistogram interval = decoded(LAYOUT, VALUES);
    Future<Integer> reader =
        threads.submit(
            () -> {
              Distribution read = new Distribution();
              for (int i = 0; i < 1_000; i++) {
                series.readTotal(read);
                assertWhole(read);
              }
              return 1_000;
            });

    while (!reader.isDone()) {
      store.merge(series, interval, 0, 0, SumMinMax.of(0, SUM, true, VALUES[0], 1L << 41));
    }

    assertThat(reader.get()).isEqualTo(1_000);
  }
}

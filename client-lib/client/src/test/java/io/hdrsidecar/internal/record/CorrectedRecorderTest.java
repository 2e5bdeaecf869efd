package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected values come from HdrHistogram, or from the values listed one by one. */
class CorrectedRecorderTest {
  private static final long HOUR = 3_600_000_000_000L;

  private final LongAdder lost = new LongAdder();

  @ParameterizedTest(name = "value={0}, interval={1}")
  @CsvSource({
    "0, 10",
    "9, 10",
    "10, 10",
    "19, 10",
    "20, 10",
    "21, 10",
    "30, 10",
    "1000, 1",
    "1000, 0",
    "1000, -5",
    "1000000, 7",
    "250000000, 1000000",
    "3600000000000, 1000000",
    "3599999999999, 999983",
  })
  void record_withAnExpectedInterval_countsAsHdrHistogramDoes(long value, long interval) {
    assertCountsAsHdrHistogram(3, value, interval);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void record_withRandomValuesAndIntervals_countsAsHdrHistogramDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 100; i++) {
      long interval = 1 + (long) Math.pow(10, random.nextDouble(8));
      long value = Math.min(HOUR, (long) (interval * Math.pow(10, random.nextDouble(5))));
      assertCountsAsHdrHistogram(random.nextInt(6), value, interval);
    }
  }

  private void assertCountsAsHdrHistogram(int digits, long value, long interval) {
    Histogram expected = new Histogram(1, HOUR, digits);
    expected.recordValueWithExpectedInterval(value, interval);

    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, digits), HOUR, lost);
    recorder.record(value, interval);
    Accumulation harvest = harvest(recorder, digits);

    assertThat(toHistogram(harvest, digits)).isEqualTo(expected);
    assertThat(harvest.sum().toBigInteger()).isEqualTo(sumOneByOne(value, interval));
    assertThat(harvest.max()).isEqualTo(value);
    assertThat(harvest.min()).isEqualTo(smallestOneByOne(value, interval));
  }

  private static Accumulation harvest(CorrectedRecorder recorder, int digits) {
    Accumulation harvest = new Accumulation(BucketLayout.of(1, digits));
    long moved = recorder.harvestInto(harvest);
    assertThat(moved).isEqualTo(harvest.count());
    return harvest;
  }

  private static Histogram toHistogram(Accumulation harvest, int digits) {
    BucketLayout layout = harvest.counts().layout();
    Histogram histogram = new Histogram(1, HOUR, digits);
    harvest
        .counts()
        .forEach(
            (index, count) -> histogram.recordValueWithCount(layout.lowestValueAt(index), count));
    return histogram;
  }

  private static BigInteger sumOneByOne(long value, long interval) {
    BigInteger sum = BigInteger.valueOf(value);
    if (interval > 0) {
      for (long missing = value - interval; missing >= interval; missing -= interval) {
        sum = sum.add(BigInteger.valueOf(missing));
      }
    }
    return sum;
  }

  private static long smallestOneByOne(long value, long interval) {
    long smallest = value;
    while (interval > 0 && smallest - interval >= interval) {
      smallest -= interval;
    }
    return smallest;
  }

  @Test
  void record_ofAnHourAtAMicrosecond_countsEveryMissingValueWithTheExactSum() {
    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, 3), HOUR, lost);

    recorder.record(HOUR, 1_000);

    Accumulation harvest = harvest(recorder, 3);
    long values = HOUR / 1_000; // 1 us, 2 us, ... 1 h
    assertThat(harvest.count()).isEqualTo(values);
    assertThat(harvest.sum().toBigInteger())
        .isEqualTo(
            BigInteger.valueOf(values)
                .multiply(BigInteger.valueOf(values + 1))
                .shiftRight(1)
                .multiply(BigInteger.valueOf(1_000)));
    assertThat(harvest.min()).isEqualTo(1_000);
    assertThat(harvest.max()).isEqualTo(HOUR);
    assertThat(lost.sum()).isZero();
  }

  @Test
  void record_aboveTheHighestValue_backFillsFromTheHighest() {
    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, 3), 10_000, lost);

    recorder.record(Long.MAX_VALUE, 2_000);

    Accumulation harvest = harvest(recorder, 3);
    assertThat(harvest.count()).isEqualTo(5); // 10,000 8,000 6,000 4,000 2,000
    assertThat(harvest.sum().toBigInteger()).isEqualTo(30_000);
  }

  @Test
  void record_ofANegativeValue_countsAsZeroWithoutBackFill() {
    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, 3), HOUR, lost);

    recorder.record(Long.MIN_VALUE, 1);

    Accumulation harvest = harvest(recorder, 3);
    assertThat(harvest.count()).isOne();
    assertThat(harvest.max()).isZero();
  }

  @Test
  void record_withMoreLongBackFillsThanFit_keepsTheValuesAndCountsWhatIsLost() {
    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, 3), HOUR, lost);
    int tooMany = 3;

    for (int i = 0; i < BackFillQueue.CAPACITY + tooMany; i++) {
      recorder.record(5_000, 1);
    }

    assertThat(lost.sum()).isEqualTo(tooMany * 4_999L);
    Accumulation harvest = harvest(recorder, 3);
    assertThat(harvest.count()).isEqualTo(BackFillQueue.CAPACITY * 5_000L + tooMany);

    recorder.record(5_000, 1);
    assertThat(harvest(recorder, 3).count()).isEqualTo(5_000);
  }

  @Test
  void record_withAnAbsurdInterval_keepsTheValueAndCountsWhatIsLost() {
    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, 3), 1L << 61, lost);

    recorder.record(1L << 61, 1);

    assertThat(lost.sum()).isEqualTo((1L << 61) - 1);
    assertThat(harvest(recorder, 3).count()).isOne();
  }

  @Test
  void record_fromManyThreadsDuringHarvests_countsEveryValueOnce() throws Exception {
    CorrectedRecorder recorder = new CorrectedRecorder(BucketLayout.of(1, 3), HOUR, lost);
    int threads = 4;
    int perThread = 20_000;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        writers.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < perThread; i++) {
                    recorder.record(2_000_000, 1_000); // 2,000 values each, handed over
                  }
                }));
      }
      Accumulation all = new Accumulation(BucketLayout.of(1, 3));
      while (!writers.stream().allMatch(Future::isDone)) {
        recorder.harvestInto(all);
      }
      for (Future<?> writer : writers) {
        writer.get(1, TimeUnit.MINUTES);
      }
      recorder.harvestInto(all);
      assertThat(all.count() + lost.sum()).isEqualTo(2_000L * threads * perThread);
    } finally {
      executor.shutdownNow();
    }
  }
}

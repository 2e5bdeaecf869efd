package io.hdrsidecar.sidecar.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever comes in whatever order, a window is the sum of the HdrHistograms that are in it. */
class WindowAgainstHdrHistogramTest {
  private static final long SECOND = 1_000_000_000;
  private static final long HIGHEST = 1L << 40;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private record Sent(long endNanos, Histogram histogram) {}

  private final List<Sent> sent = new ArrayList<>();
  private final IntervalCounts interval = new IntervalCounts();

  /** Intervals a second, mostly on time, some late by up to more than the span, and jumps. */
  @ParameterizedTest(name = "window={0} at most {1} in a go seed={2}")
  @CsvSource({
    "6s/1s, 1, 1",
    "6s/1s, 3, 2",
    "20s/5s, 2, 3",
    "20s/5s, 12, 4",
    "30s/10s, 20, 5",
    "2s/1s, 30, 6"
  })
  void add_manyInAStepLateOnesAndJumps_holdsTheSumOfItsHistograms(
      String window, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    WindowSpec spec = WindowSpec.parse(window);
    RollingWindow rolling = new RollingWindow(spec, LAYOUT, new PackingScratch());
    long step = spec.step().toNanos();
    long now = random.nextLong(1000 * SECOND);
    for (int turn = 0; turn < 120; turn++) {
      now += random.nextInt(40) == 0 ? random.nextLong(60 * SECOND) : random.nextLong(2 * SECOND);
      rolling.advance(now);
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        long late = random.nextInt(4) == 0 ? random.nextLong(40 * SECOND) : 0;
        Histogram histogram = histogram(random);
        sent.add(new Sent(now - late, histogram));
        interval.set(
            sparse(histogram),
            SumMinMax.of(
                0, sum(histogram), true, histogram.getMinNonZeroValue(), histogram.getMaxValue()));
        interval.place(now - late, SECOND);
        rolling.add(interval);
      }
      long first = Math.floorDiv(now, step) - spec.steps();
      sent.removeIf(old -> Math.floorDiv(old.endNanos(), step) < first);
      assertHoldsWhatWasSent(rolling);
    }
  }

  private void assertHoldsWhatWasSent(RollingWindow window) {
    Histogram sum = new Histogram(1, HIGHEST, 3);
    long low = 0;
    for (Sent one : sent) {
      sum.add(one.histogram());
      low += sum(one.histogram());
    }
    Map<Integer, Long> held = new TreeMap<>();
    window.counts().forEach(held::put);
    assertThat(held).isEqualTo(buckets(sum));
    assertThat(window.counts().total()).isEqualTo(sum.getTotalCount());
    assertThat(window.sumMinMax().sum().high()).isZero();
    assertThat(window.sumMinMax().sum().low()).isEqualTo(low);
    assertThat(window.sumMinMax().min()).isEqualTo(sum.getMinNonZeroValue());
    assertThat(window.sumMinMax().max())
        .isEqualTo(sum.getTotalCount() == 0 ? 0 : sum.getMaxValue());
  }

  private static Histogram histogram(SplittableRandom random) {
    Histogram histogram = new Histogram(1, HIGHEST, 3);
    int values = 1 + random.nextInt(60);
    int bits = random.nextInt(1, 40);
    for (int i = 0; i < values; i++) {
      long count = 1L << random.nextInt(1 << random.nextInt(5));
      histogram.recordValueWithCount(1 + random.nextLong(1L << bits), count);
    }
    return histogram;
  }

  /** Of each bucket the number and the count. */
  private static Map<Integer, Long> buckets(Histogram histogram) {
    Map<Integer, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(
          LAYOUT.indexOf(value.getValueIteratedTo()), value.getCountAddedInThisIterationStep());
    }
    return buckets;
  }

  private static SparseCounts sparse(Histogram histogram) {
    SparseCounts counts = new SparseCounts();
    buckets(histogram).forEach(counts::visit);
    return counts;
  }

  /** Any number will do that comes back out as it went in. */
  private static long sum(Histogram histogram) {
    return histogram.getTotalCount() * 3 + histogram.getMaxValue() % 1000;
  }
}

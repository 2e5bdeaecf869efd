package io.hdrsidecar.sidecar.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RollingWindowTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final WindowSpec spec =
      new WindowSpec("10s", Duration.ofSeconds(10), Duration.ofSeconds(2));
  private final RollingWindow window = new RollingWindow(spec, LAYOUT, new PackingScratch());

  /** What the window should hold, kept as what was put in. */
  private record Added(long endNanos, boolean exact, List<Long> values) {}

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void advance_randomSchedule_holdsWhatEndedWithinTheSpan(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Added> added = new ArrayList<>();
    long now = random.nextLong(100 * SECOND);
    for (int i = 0; i < 2_000; i++) {
      now += gap(random);
      window.advance(now);
      int intervals = random.nextInt(4);
      for (int j = 0; j < intervals; j++) {
        long end = now - random.nextLong(15 * SECOND);
        boolean exact = random.nextInt(10) > 0;
        long[] values = randomValues(random);
        add(end, SECOND, exact, values);
        added.add(new Added(end, exact, Arrays.stream(values).boxed().toList()));
      }
      assertHolds(inside(added, now));
    }
  }

  /** Mostly less than a step, now and then longer than the span. */
  private static long gap(SplittableRandom random) {
    return random.nextInt(50) == 0
        ? random.nextLong(40 * SECOND)
        : random.nextLong(SECOND + SECOND / 2);
  }

  private static long[] randomValues(SplittableRandom random) {
    long[] values = new long[1 + random.nextInt(20)];
    Arrays.setAll(values, i -> random.nextLong(1L << random.nextInt(1, 40)));
    return values;
  }

  private static List<Added> inside(List<Added> added, long now) {
    long step = 2 * SECOND;
    long first = Math.floorDiv(now, step) - 5;
    return added.stream().filter(a -> Math.floorDiv(a.endNanos(), step) >= first).toList();
  }

  private void assertHolds(List<Added> expected) {
    long[] values =
        expected.stream().flatMap(a -> a.values().stream()).mapToLong(Long::longValue).toArray();
    Map<Integer, Long> counts = new TreeMap<>();
    BigInteger sum = BigInteger.ZERO;
    for (long value : values) {
      counts.merge(LAYOUT.indexOf(value), 1L, Long::sum);
      sum = sum.add(BigInteger.valueOf(value));
    }
    assertThat(held()).isEqualTo(counts);
    assertThat(window.counts().total()).isEqualTo(values.length);
    assertThat(window.sumMinMax().sum().toBigInteger()).isEqualTo(sum);
    assertThat(window.sumMinMax().isSumExact()).isEqualTo(expected.stream().allMatch(Added::exact));
    assertThat(window.sumMinMax().min())
        .isEqualTo(Arrays.stream(values).min().orElse(Long.MAX_VALUE));
    assertThat(window.sumMinMax().max()).isEqualTo(Arrays.stream(values).max().orElse(0));
  }

  @Test
  void add_endedWithinTheSpan_isHeldAtLeastForTheSpan() {
    window.advance(100 * SECOND);
    add(100 * SECOND, SECOND, true, 7);

    window.advance(110 * SECOND);
    assertThat(window.counts().total()).isEqualTo(1);
    window.advance(112 * SECOND);
    assertThat(window.counts().total()).isZero();
  }

  @Test
  void add_longerThanTheSpan_isLeftOut() {
    window.advance(100 * SECOND);

    add(100 * SECOND, 10 * SECOND, true, 1);
    add(100 * SECOND, 10 * SECOND + 1, true, 2);

    assertThat(held()).containsOnlyKeys(1);
  }

  @Test
  void advance_backwards_changesNothing() {
    window.advance(100 * SECOND);
    add(100 * SECOND, SECOND, true, 7);

    window.advance(50 * SECOND);

    assertThat(window.counts().total()).isEqualTo(1);
    assertThat(window.isDue(50 * SECOND)).isFalse();
  }

  @Test
  void isDue_emptyWindow_isFalse() {
    window.advance(100 * SECOND);
    assertThat(window.isDue(1_000 * SECOND)).isFalse();
  }

  @Test
  void advance_emptied_givesItsMemoryBack() {
    long before = window.allocatedBytes();
    for (int second = 100; second < 200; second++) {
      window.advance(second * SECOND);
      add(second * SECOND, SECOND, true, randomValues(new SplittableRandom(second)));
    }
    assertThat(window.allocatedBytes()).isGreaterThan(before + 10_000);

    window.advance(300 * SECOND);

    assertThat(window.counts().total()).isZero();
    assertThat(window.allocatedBytes()).isLessThan(before + 3_000); // the tables of pages stay
  }

  @Test
  void advance_pageNoLongerUsed_isFreedWithinATurn() {
    window.advance(0);
    add(0, SECOND, true, 1L << 50);
    for (int second = 1; second < 60; second++) {
      window.advance(second * SECOND);
      add(second * SECOND, SECOND, true, 5);
    }

    PagedCounts onlyFive = new PagedCounts(LAYOUT);
    onlyFive.add(LAYOUT.indexOf(1L << 50), 1);
    onlyFive.subtract(sparse(1L << 50));
    onlyFive.releaseEmptyPages();
    onlyFive.add(LAYOUT.indexOf(5), 1);
    assertThat(window.counts().allocatedBytes()).isEqualTo(onlyFive.allocatedBytes());
  }

  private void add(long endNanos, long lengthNanos, boolean exact, long... values) {
    IntervalCounts interval = new IntervalCounts();
    long sum = Arrays.stream(values).sum();
    interval.set(
        sparse(values),
        SumMinMax.of(
            0,
            sum,
            exact,
            Arrays.stream(values).min().getAsLong(),
            Arrays.stream(values).max().getAsLong()));
    interval.place(endNanos, lengthNanos);
    window.add(interval);
  }

  private static SparseCounts sparse(long... values) {
    PagedCounts counts = new PagedCounts(LAYOUT);
    for (long value : values) {
      counts.add(LAYOUT.indexOf(value), 1);
    }
    SparseCounts sparse = new SparseCounts();
    counts.forEach(sparse);
    return sparse;
  }

  private Map<Integer, Long> held() {
    Map<Integer, Long> counts = new TreeMap<>();
    window.counts().forEach(counts::put);
    return counts;
  }
}

package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NativeBucketsTest {
  @Test
  void reading_overTheBucketLimit_fallsToACoarserSchemaAndKeepsAllCounts() {
    RawValues raw = RawValues.of("lognormal");

    NativeBuckets fine = raw.reading(3, List.of(), 8, 1 << 20).nativeBuckets();
    NativeBuckets bounded = raw.reading(3, List.of(), 8, 160).nativeBuckets();

    assertThat(fine.size()).isGreaterThan(160);
    assertThat(bounded.size()).isBetween(1, 160);
    assertThat(bounded.schema()).isLessThan(8);
    NativeBuckets direct = raw.reading(3, List.of(), bounded.schema(), 1 << 20).nativeBuckets();
    assertThat(bounded.size()).isEqualTo(direct.size());
    for (int i = 0; i < direct.size(); i++) {
      assertThat(bounded.indexAt(i)).isEqualTo(direct.indexAt(i));
      assertThat(bounded.countAt(i)).isEqualTo(direct.countAt(i));
    }
  }

  @Test
  void schema_asValuesAreAdded_fallsButNeverRises() {
    Accumulation counts = new Accumulation(BucketLayout.of(1, 3));
    SplittableRandom random = new SplittableRandom(11);
    int last = 5;
    for (int i = 0; i < 2_000; i++) {
      long value = (long) Math.pow(2, random.nextDouble(10, 12 + i * 0.02));
      counts.counts().add(counts.counts().layout().indexOf(value), 1);
      counts.widen(value, value);
      NativeBuckets buckets =
          RawValues.reading(counts, Unit.NANOSECONDS, config(5, 40)).nativeBuckets();
      assertThat(buckets.schema()).isLessThanOrEqualTo(last);
      assertThat(buckets.size()).isLessThanOrEqualTo(40);
      last = buckets.schema();
    }
    assertThat(last).isLessThan(5);
  }

  @Test
  void reading_theWholeRangeInTheFewestBuckets_staysInTheLimit() {
    Accumulation counts = new Accumulation(BucketLayout.of(1, 1));
    for (int power = 0; power < 63; power++) {
      counts.counts().add(counts.counts().layout().indexOf(1L << power), 1);
      counts.widen(1L << power, 1L << power);
    }

    HistogramReading reading = RawValues.reading(counts, Unit.NANOSECONDS, config(8, 16));

    assertThat(reading.nativeBuckets().size()).isLessThanOrEqualTo(16);
  }

  @Test
  void add_inAnyOrder_isSortedAndAddedUp() {
    SplittableRandom random = new SplittableRandom(5);
    NativeBuckets buckets = new NativeBuckets(3, 1 << 20);
    TreeMap<Integer, Long> expected = new TreeMap<>();
    buckets.clear();
    for (int i = 0; i < 2_000; i++) {
      int index = random.nextInt(-400, 400);
      long count = random.nextInt(1, 100);
      buckets.add(index, count);
      expected.merge(index, count, Long::sum);
    }

    assertThat(buckets.size()).isEqualTo(expected.size());
    int at = 0;
    for (var bucket : expected.entrySet()) {
      assertThat(buckets.indexAt(at)).isEqualTo(bucket.getKey());
      assertThat(buckets.countAt(at++)).isEqualTo(bucket.getValue());
    }
  }

  private static ExposeConfig config(int schema, int maxBuckets) {
    return new ExposeConfig(List.of(), List.of(), List.of(), List.of(), schema, maxBuckets);
  }
}

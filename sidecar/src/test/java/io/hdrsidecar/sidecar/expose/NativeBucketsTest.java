package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NativeBucketsTest {
  @Test
  void readFrom_overTheBucketLimit_fallsToACoarserSchemaAndKeepsAllCounts() {
    Distribution distribution = RawValues.of("lognormal").counted(3);
    NativeBuckets fine = new NativeBuckets(8, 1 << 20);
    NativeBuckets bounded = new NativeBuckets(8, 160);

    fine.readFrom(distribution, Unit.NANOSECONDS);
    bounded.readFrom(distribution, Unit.NANOSECONDS);

    assertThat(fine.size()).isGreaterThan(160);
    assertThat(bounded.size()).isBetween(1, 160);
    assertThat(bounded.schema()).isLessThan(8);
    NativeBuckets direct = new NativeBuckets(bounded.schema(), 1 << 20);
    direct.readFrom(distribution, Unit.NANOSECONDS);
    assertThat(bounded.size()).isEqualTo(direct.size());
    for (int i = 0; i < direct.size(); i++) {
      assertThat(bounded.indexAt(i)).isEqualTo(direct.indexAt(i));
      assertThat(bounded.countAt(i)).isEqualTo(direct.countAt(i));
    }
  }

  @Test
  void schema_asValuesAreAdded_fallsButNeverRises() {
    Accumulation counts = new Accumulation(BucketLayout.of(1, 3));
    Distribution distribution = new Distribution();
    NativeBuckets buckets = new NativeBuckets(5, 40);
    SplittableRandom random = new SplittableRandom(11);
    int last = 5;
    for (int i = 0; i < 2_000; i++) {
      long value = (long) Math.pow(2, random.nextDouble(10, 12 + i * 0.02));
      counts.counts().add(counts.counts().layout().indexOf(value), 1);
      distribution.clear();
      distribution.add(counts.counts(), counts.sum(), true, 0, value);
      buckets.readFrom(distribution, Unit.NANOSECONDS);
      assertThat(buckets.schema()).isLessThanOrEqualTo(last);
      assertThat(buckets.size()).isLessThanOrEqualTo(40);
      last = buckets.schema();
    }
    assertThat(last).isLessThan(5);
  }

  @Test
  void readFrom_withTheWholeRangeAndTheFewestBuckets_staysInTheLimit() {
    Accumulation counts = new Accumulation(BucketLayout.of(1, 1));
    for (int power = 0; power < 63; power++) {
      counts.counts().add(counts.counts().layout().indexOf(1L << power), 1);
    }
    Distribution distribution = new Distribution();
    distribution.add(counts.counts(), counts.sum(), true, 1, 1L << 62);
    NativeBuckets buckets = new NativeBuckets(8, 16);

    buckets.readFrom(distribution, Unit.NANOSECONDS);

    assertThat(buckets.size()).isLessThanOrEqualTo(16);
  }
}

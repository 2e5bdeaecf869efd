package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassicBucketsTest {
  @Test
  void reading_aBucketEndingOnTheEdge_isCountedThere() {
    // 35,000,000 is not exact in binary as 0.035 s; one digit in ns makes 33554432..35651583.
    HistogramReading reading = read(List.of(0.035, 0.035651583), Unit.NANOSECONDS, 1, 35_000_000);

    assertThat(reading.cumulativeAt(0)).isZero();
    assertThat(reading.cumulativeAt(1)).isEqualTo(1);
    assertThat(reading.edgeAt(0)).isEqualTo(0.035);
  }

  @Test
  void reading_singleUnitBuckets_isExactAtTheEdge() {
    HistogramReading reading = read(List.of(0.035), Unit.MILLISECONDS, 3, 34, 35, 36);

    assertThat(reading.cumulativeAt(0)).isEqualTo(2);
    assertThat(reading.cumulativeAt(1)).isEqualTo(3);
  }

  @Test
  void reading_withoutEdges_hasTheInfiniteBucketOnly() {
    HistogramReading reading = read(List.of(), Unit.NANOSECONDS, 3, 1, 2, Long.MAX_VALUE);

    assertThat(reading.edges()).isEqualTo(1);
    assertThat(reading.edgeAt(0)).isInfinite();
    assertThat(reading.cumulativeAt(0)).isEqualTo(3);
  }

  private static HistogramReading read(List<Double> edges, Unit unit, int digits, long... values) {
    Accumulation counts = new Accumulation(BucketLayout.of(1, digits));
    for (long value : values) {
      counts.counts().add(counts.counts().layout().indexOf(value), 1);
      counts.widen(value, value);
    }
    ExposeConfig config = new ExposeConfig(List.of(), edges, List.of(), List.of(), 3, 160);
    return RawValues.reading(counts, unit, config);
  }
}

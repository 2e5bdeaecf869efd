package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassicEdgesTest {
  @Test
  void readFrom_aBucketEndingOnTheEdge_isCountedThere() {
    // 35,000,000 is not exact in binary as 0.035 s; one digit in ns makes 33554432..35651583.
    ClassicEdges edges = new ClassicEdges(List.of(0.035, 0.035651583), Unit.NANOSECONDS);

    edges.readFrom(counted(1, 35_000_000));

    assertThat(edges.cumulativeAt(0)).isZero();
    assertThat(edges.cumulativeAt(1)).isEqualTo(1);
    assertThat(edges.upperBoundAt(0)).isEqualTo(0.035);
  }

  @Test
  void readFrom_singleUnitBuckets_isExactAtTheEdge() {
    ClassicEdges edges = new ClassicEdges(List.of(0.035), Unit.MILLISECONDS);

    edges.readFrom(counted(3, 34, 35, 36));

    assertThat(edges.cumulativeAt(0)).isEqualTo(2);
    assertThat(edges.cumulativeAt(1)).isEqualTo(3);
  }

  @Test
  void readFrom_withoutEdges_hasTheInfiniteBucketOnly() {
    ClassicEdges edges = new ClassicEdges(List.of(), Unit.BYTES);

    edges.readFrom(counted(3, 1, 2, Long.MAX_VALUE));

    assertThat(edges.size()).isEqualTo(1);
    assertThat(edges.upperBoundAt(0)).isInfinite();
    assertThat(edges.cumulativeAt(0)).isEqualTo(3);
  }

  private static Distribution counted(int digits, long... values) {
    Accumulation counts = new Accumulation(BucketLayout.of(1, digits));
    for (long value : values) {
      counts.counts().add(counts.counts().layout().indexOf(value), 1);
    }
    Distribution distribution = new Distribution();
    distribution.add(counts.counts(), counts.sum(), true, 0, 0);
    return distribution;
  }
}

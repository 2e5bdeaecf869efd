package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccumulationTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private static Accumulation of(List<Long> values) {
    Accumulation counts = new Accumulation(LAYOUT);
    for (long value : values) {
      counts.counts().add(LAYOUT.indexOf(value), 1);
      counts.sum().add(value);
      counts.widen(value, value);
    }
    return counts;
  }

  private static SparseCounts sparse(Accumulation counts) {
    SparseCounts sparse = new SparseCounts();
    counts.counts().forEach(sparse);
    return sparse;
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void add_partsInAnyWay_keepsTheFiguresOfTheRawList(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> raw = new ArrayList<>();
    Accumulation whole = new Accumulation(LAYOUT);
    for (int part = 0; part < 20; part++) {
      List<Long> values = new ArrayList<>();
      int size = random.nextInt(100);
      for (int i = 0; i < size; i++) {
        values.add(random.nextLong() >>> random.nextInt(2, 60));
      }
      raw.addAll(values);
      Accumulation added = of(values);
      if (part % 2 == 0) {
        whole.add(added);
      } else {
        whole.add(sparse(added), added.sumMinMax());
      }
    }
    assertThat(whole.count()).isEqualTo(raw.size());
    assertThat(whole.min()).isEqualTo(Collections.min(raw));
    assertThat(whole.max()).isEqualTo(Collections.max(raw));
    assertThat(whole.sum().toBigInteger())
        .isEqualTo(raw.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add));
  }

  @Test
  void add_pastTheLargestTotal_changesNoFigure() {
    Accumulation full = new Accumulation(LAYOUT);
    full.counts().add(4, Long.MAX_VALUE);
    full.widen(4, 4);
    Accumulation one = of(List.of(9L));
    assertThatThrownBy(() -> full.add(one)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> full.add(sparse(one), SumMinMax.of(0, 9, true, 9, 9)))
        .isInstanceOf(ArithmeticException.class);
    assertThat(full.max()).isEqualTo(4);
    assertThat(full.sum().toBigInteger()).isZero();
  }

  @Test
  void clear_afterCounting_isAsNew() {
    Accumulation counts = of(List.of(0L, 5L));
    assertThat(counts.isEmpty()).isFalse();
    assertThat(counts.min()).isZero();
    counts.clear();
    assertThat(counts.isEmpty()).isTrue();
    assertThat(counts.min()).isEqualTo(Long.MAX_VALUE);
    assertThat(counts.max()).isZero();
    assertThat(counts.sum()).isEqualTo(new ExactSum());
  }
}

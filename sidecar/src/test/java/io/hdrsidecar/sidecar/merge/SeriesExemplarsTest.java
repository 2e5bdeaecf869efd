package io.hdrsidecar.sidecar.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Exemplar;
import org.junit.jupiter.api.Test;

class SeriesExemplarsTest {
  private final SeriesExemplars exemplars = new SeriesExemplars();

  @Test
  void offer_ofOneMagnitude_keepsTheSlowestForAMinute() {
    exemplars.offer(exemplar(1000, 0));
    exemplars.offer(exemplar(900, 59_999));
    assertThat(exemplars.all()).containsExactly(exemplar(1000, 0));

    exemplars.offer(exemplar(901, 60_000));
    assertThat(exemplars.all()).containsExactly(exemplar(901, 60_000));

    exemplars.offer(exemplar(902, 60_001));
    assertThat(exemplars.all()).containsExactly(exemplar(902, 60_001));
  }

  @Test
  void offer_ofManyMagnitudes_keepsTheNewest() {
    for (int power = 0; power < 40; power++) {
      exemplars.offer(exemplar(1L << power, power));
    }

    assertThat(exemplars.all())
        .extracting(Exemplar::millis)
        .containsExactlyInAnyOrder(32L, 33L, 34L, 35L, 36L, 37L, 38L, 39L);
  }

  private static Exemplar exemplar(long value, long millis) {
    return new Exemplar(value, millis, "t", "");
  }
}

package io.hdrsidecar.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PointTest {
  @Test
  void of_nothingChosen_isOneLineAlongEachAxis() {
    assertThat(Point.of(List.of(), List.of()))
        .containsExactlyInAnyOrder(
            new Point(1_000, 100),
            new Point(100_000, 100),
            new Point(1_000_000, 100),
            new Point(5_000_000, 100),
            new Point(100_000, 1),
            new Point(100_000, 1_000),
            new Point(100_000, 10_000));
  }

  @Test
  void of_bothChosen_isEachWithEach() {
    assertThat(Point.of(List.of(1L, 2L), List.of(3, 4)))
        .containsExactly(new Point(1, 3), new Point(2, 3), new Point(1, 4), new Point(2, 4));
  }

  @Test
  void of_ratesChosen_takesTheUsualSeries() {
    assertThat(Point.of(List.of(7L), List.of())).containsExactly(new Point(7, 100));
  }
}

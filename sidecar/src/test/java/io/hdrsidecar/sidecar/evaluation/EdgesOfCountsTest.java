package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.merge.Series;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts between edges where values lie on an edge. */
class EdgesOfCountsTest {
  private static final long MILLI = 1_000_000;

  private static long[] times(int count, long value) {
    long[] values = new long[count];
    Arrays.fill(values, value);
    return values;
  }

  /** Prometheus 3.15 says the same of 90 observations of 0 and 10 of 0.5 in a native histogram. */
  @ParameterizedTest(name = "from {0} to {1}")
  @CsvSource({"0, 0.1, 0.9", "-1, 0.1, 0.9", "-1, 0, 0", "0, 1, 1", "0.1, 1, 0.1", "-2, -1, 0"})
  void fraction_ofValuesOf0_isAbove0(double lower, double upper, double expected) throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20)) {
      Series series = store.series("a");
      store.merge(series, times(90, 0));
      store.merge(series, times(10, 500 * MILLI));

      String query = "histogram_fraction(%s, %s, sum(increase(calls_seconds[2m])))";

      assertThat(number(store.at(query.formatted(lower, upper), store.clock.millis())))
          .isEqualTo(expected);
    }
  }
}

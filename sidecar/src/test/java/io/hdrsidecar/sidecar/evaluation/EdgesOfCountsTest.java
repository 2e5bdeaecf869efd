package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
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

  /** The bucket of 50 ms reaches above the edge, so it is not below: here as on /metrics. */
  @Test
  void bucket_whenASlowerCallArrives_stays() throws Exception {
    assertThat(new Histogram(3).highestEquivalentValue(50 * MILLI)).isGreaterThan(50 * MILLI);
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20)) {
      Series series = store.series("a");
      merge(store, series, times(90, 5 * MILLI));
      merge(store, series, times(10, 50 * MILLI));
      assertBuckets(store, 90, 100);

      merge(store, series, 80 * MILLI);

      assertBuckets(store, 90, 101);
    }
  }

  /** With the largest value, as clients send it: the edge itself, below the end of its bucket. */
  private static void merge(EvaluatedStore store, Series series, long... values) throws Exception {
    long now = store.clock.millis();
    long sum = Arrays.stream(values).sum();
    long min = Arrays.stream(values).min().orElseThrow();
    long max = Arrays.stream(values).max().orElseThrow();
    store.store.merge(
        series,
        Intervals.decoded(Intervals.LAYOUT, values),
        now - EvaluatedStore.SECOND,
        now,
        SumMinMax.of(0, sum, true, min, max));
  }

  private static void assertBuckets(EvaluatedStore store, int within50Millis, int all)
      throws Exception {
    for (String query :
        new String[] {"calls_seconds_bucket%s", "increase(calls_seconds_bucket%s[2m])"}) {
      assertThat(now(store, query.formatted("{le=\"0.05\"}"))).isEqualTo(within50Millis);
      assertThat(now(store, query.formatted("{le=\"+Inf\"}"))).isEqualTo(all);
    }
  }

  private static double now(EvaluatedStore store, String query) throws Exception {
    return number(store.at(query, store.clock.millis()));
  }
}

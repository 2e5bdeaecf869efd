package io.hdrsidecar.sidecar.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which series, and of which time, an evaluation reads. The windows are of a minute. */
class QueryNeedsTest {
  private static final long MINUTE = 60_000;
  private static final long LOOKBACK = 5 * MINUTE;

  /** Windows of a minute. */
  private final QueryScope scope =
      new QueryScope(new SeriesStore(MergeConfig.defaults()), 10, QueryLimits.defaults());

  private NeededSeries needs(String query, long startMinute, long endMinute) throws Exception {
    return QueryNeeds.of(query, startMinute * MINUTE, endMinute * MINUTE, scope);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "checkout_seconds, 99, 110",
    "rate(checkout_seconds[10m]), 89, 110",
    "rate(checkout_seconds[10m] offset 20m), 69, 90",
    "rate(checkout_seconds[10m] offset -20m), 109, 130",
    "rate(checkout_seconds[10m] @ 1200), 9, 20",
    "rate(checkout_seconds[10m] @ start()), 89, 100",
    "rate(checkout_seconds[10m] @ end()), 99, 110",
    "rate(a_seconds[10m]) / rate(b_seconds[1m] offset 1h), 38, 110"
  })
  void of_aQuery_reachesBackAsFarAsItReads(String query, long fromMinute, long toMinute)
      throws Exception {
    NeededSeries needs = needs(query, 100, 110);

    assertThat(needs.fromMillis()).isEqualTo(fromMinute * MINUTE - LOOKBACK);
    assertThat(needs.toMillis()).isEqualTo(toMinute * MINUTE + 1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "checkout_seconds; true",
        "checkout_seconds_bucket{le=\"0.1\"}; true",
        "checkout_seconds_count; true",
        "checkout_window_seconds{window=\"1m\",quantile=\"0.99\"}; true",
        "{route=\"/pay\"}; true",
        "{__name__=~\".*seconds\"}; true",
        "checkout_seconds{route=\"/cart\"}; false",
        "checkout_seconds{route!~\"/p.*\"}; false",
        "other_seconds; false"
      })
  void of_aQuery_acceptsTheSeriesOfItsMetrics(String query, boolean isAccepted) throws Exception {
    SeriesKey series = new SeriesKey("checkout", Labels.of("route", "/pay"));

    assertThat(
            needs(query, 1, 1).series().stream()
                .anyMatch(each -> each.accepts(series, Unit.NANOSECONDS)))
        .isEqualTo(isAccepted);
  }

  @Test
  void of_aNumber_needsNothing() throws Exception {
    assertThat(needs("1 + 1", 1, 1)).isEqualTo(NeededSeries.NOTHING);
  }
}

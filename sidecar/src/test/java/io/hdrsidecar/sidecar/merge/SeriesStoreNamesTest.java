package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names and label sets a store takes, and what it does at its limits. */
class SeriesStoreNamesTest {
  private final SeriesStore store = new SeriesStore(new MergeConfig(3, 4, 100_000, List.of()));

  @ParameterizedTest
  @CsvSource({
    "checkout, NANOSECONDS, checkout_seconds, checkout_window_seconds",
    "checkout, SECONDS, checkout_seconds, checkout_window_seconds",
    "checkout_seconds, NANOSECONDS, checkout_seconds, checkout_window_seconds",
    "reply, BYTES, reply_bytes, reply_window_bytes",
    "queue, NONE, queue, queue_window",
    "queue_seconds, NONE, queue_seconds, queue_seconds_window"
  })
  void metricNames_endWithTheBaseUnitOnce(
      String name, Unit unit, String cumulative, String window) {
    assertThat(MetricNames.of(name, unit)).isEqualTo(new MetricNames(cumulative, window));
  }

  @ParameterizedTest
  @CsvSource({
    "x, NANOSECONDS, x, MILLISECONDS",
    "x, NANOSECONDS, x_seconds, NANOSECONDS",
    "x, NANOSECONDS, x_window, NANOSECONDS",
    "x, NANOSECONDS, x_seconds, NONE",
    "x, NANOSECONDS, x_seconds_count, NONE",
    "x, NANOSECONDS, x_seconds_sum, NONE",
    "x_sum, NONE, x, NONE",
    "x_window, NONE, x, NONE"
  })
  void register_metricNamesWouldCollide_isRefusedInEitherOrder(
      String first, Unit firstUnit, String second, Unit secondUnit) throws Exception {
    assertSecondIsRefused(first, firstUnit, second, secondUnit);
    assertSecondIsRefused(second, secondUnit, first, firstUnit);
  }

  private static void assertSecondIsRefused(
      String first, Unit firstUnit, String second, Unit secondUnit) throws Exception {
    SeriesStore fresh = new SeriesStore(MergeConfig.defaults());
    fresh.register(definition(first, firstUnit, LAYOUT));
    assertThatThrownBy(() -> fresh.register(definition(second, secondUnit, LAYOUT)))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.SERIES_CONFLICT))
        .hasMessageContaining(first);
    assertThat(fresh.series()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdr_sidecar_intervals", "hdr_", "process_cpu", "x_total", "x_info"})
  void register_reservedName_isRefused(String name) {
    assertThatThrownBy(() -> store.register(definition(name, Unit.NONE, LAYOUT)))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(RejectReason.BAD_SERIES));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "x_total", "x_created", "x_bucket", "x_info", "x_count", "_", ":a:b"})
  void register_whatItTakes_thePrometheusClientTakesToo(String name) {
    boolean taken;
    try {
      store.register(definition(name, Unit.NONE, LAYOUT));
      taken = true;
    } catch (RefusedException e) {
      taken = false;
    }
    assertThat(!taken || PrometheusNaming.validateMetricName(name) == null)
        .as("taken only if valid")
        .isTrue();
  }

  @Test
  void register_again_findsTheSameSeries() throws Exception {
    Series series = store.register(definition("x", "route", "/pay"));

    assertThat(store.register(definition("x", "route", "/pay"))).isSameAs(series);
    assertThat(store.find(new SeriesKey("x", Labels.of("route", "/pay")))).containsSame(series);
    assertThat(series.help()).isEqualTo("help of x");
    assertThat(series.unit()).isEqualTo(Unit.NANOSECONDS);
  }

  @Test
  void register_aboveTheLimit_sharesOneOverflowSeriesPerNameAndKeepsCounts() throws Exception {
    for (int i = 0; i < 100; i++) {
      Series series = store.register(definition("x", "user", "u" + i));
      store.merge(series, decoded(LAYOUT, i), 0, 0, SumMinMax.of(0, i, true, i, i));
    }
    store.register(definition("y", "user", "u1"));

    assertThat(store.series()).hasSize(5);
    assertThat(store.status().overflowSeries()).isEqualTo(2);
    Series overflow = store.find(new SeriesKey("x", Labels.of("overflow", "true"))).orElseThrow();
    Distribution all = new Distribution();
    Distribution one = new Distribution();
    for (Series series : store.series()) {
      series.readTotal(one);
      all.add(one);
    }
    assertThat(all.count()).isEqualTo(100);
    assertThat(all.sum().low()).isEqualTo(99 * 100 / 2);
    assertThat(overflow.intervals()).isEqualTo(97);
  }

  /**
   * Raw and corrected values, or several times of one call, added up have percentiles of nothing.
   */
  @Test
  void register_aboveTheLimit_keepsApartWhatMustNotBeAddedUp() throws Exception {
    SeriesStore full = new SeriesStore(new MergeConfig(8, 4, 100_000, List.of()));
    for (int i = 0; i < 8; i++) {
      full.register(definition("x", "user", "u" + i));
    }
    merge(full, 10, "route", "a");
    merge(full, 30, "route", "a", "corrected", "expected_interval");
    merge(full, 5, "route", "b", "corrected", "by_hand");
    merge(full, 3, "route", "a", "kind", "service");
    merge(full, 4, "route", "a", "kind", "response");
    merge(full, 2, "route", "b", "kind", "response");
    merge(full, 1, "route", "b", "kind", "cache"); // says nothing of the time of a call

    assertThat(count(full, "overflow", "true")).isEqualTo(10 + 1);
    assertThat(count(full, "overflow", "true", "corrected", "expected_interval")).isEqualTo(30);
    assertThat(count(full, "overflow", "true", "corrected", "other")).isEqualTo(5);
    assertThat(count(full, "overflow", "true", "kind", "service")).isEqualTo(3);
    assertThat(count(full, "overflow", "true", "kind", "response")).isEqualTo(4 + 2);
    assertThat(full.status().overflowSeries()).isEqualTo(5);
  }

  private static void merge(SeriesStore into, int values, String... labels) throws Exception {
    Series series = into.register(definition("x", labels));
    into.merge(series, decoded(LAYOUT, new long[values]), 0, 0, SumMinMax.of(0, 0, true, 0, 0));
  }

  private static long count(SeriesStore of, String... labels) {
    Distribution total = new Distribution();
    of.find(new SeriesKey("x", Labels.of(labels))).orElseThrow().readTotal(total);
    return total.count();
  }

  @Test
  void registerAndRestore_overflowSeriesByItsKey_takeNoOrdinaryPlace() throws Exception {
    String[] labels = {"overflow", "true", "kind", "wait"};
    store.restore().series(definition("x", labels), Instant.EPOCH);
    store.register(definition("y", labels));
    for (int i = 0; i < 3; i++) {
      store.register(definition("x", "user", "u" + i));
    }

    assertThat(store.status().overflowSeries()).isEqualTo(2);
    assertThat(store.register(definition("x", "user", "u3", "kind", "wait")).key())
        .isEqualTo(new SeriesKey("x", Labels.of(labels)));
    assertThat(store.series()).hasSize(5);
  }

  @Test
  void register_moreOverflowNamesThanTheLimit_isRefused() throws Exception {
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      store.register(definition(name));
    }

    assertThatThrownBy(() -> store.register(definition("g")))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.SERIES_LIMIT));
    assertThat(store.series()).hasSize(6);
    assertThat(store.register(definition("a"))).isNotNull();
  }
}

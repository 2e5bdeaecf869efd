package io.hdrsidecar.sidecar.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesMixtureTest {
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());

  private void register(String... labels) throws Exception {
    store.register(
        new SeriesDefinition(
            new SeriesKey("x", Labels.of(labels)),
            Unit.NANOSECONDS,
            "",
            BucketLayout.of(1, 2),
            1_000_000));
  }

  private List<Series> matched() throws Exception {
    return Selector.parse("x").select(store);
  }

  @ParameterizedTest(name = "beside {0}")
  @ValueSource(strings = {"route=a", "kind=batch", "overflow=true"})
  void refuse_kindsBesideAnotherSeries_areStillRefused(String other) throws Exception {
    register("kind", "response");
    register("kind", "service");
    register("kind", "wait");
    register(other.split("="));

    assertThatThrownBy(() -> SeriesMixture.refuse(matched()))
        .isInstanceOfSatisfying(
            QueryException.class,
            e ->
                assertThat(e.message())
                    .contains("differ in the label kind")
                    .endsWith("kind=\"response\" or kind=\"service\" or kind=\"wait\""));
  }

  @Test
  void refuse_oneKindBesideSeriesWithoutOne_mayBeAddedUp() throws Exception {
    register("kind", "response", "route", "a");
    register("kind", "response", "route", "b");
    register("route", "c");
    register("kind", "batch");

    assertThatCode(() -> SeriesMixture.refuse(matched())).doesNotThrowAnyException();
  }
}

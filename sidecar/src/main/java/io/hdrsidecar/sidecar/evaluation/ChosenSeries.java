package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.families.MetricNames;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A series that a selector chooses.
 *
 * @param living null for one that has ended
 * @param forms in which of its metrics it is chosen
 * @param fromMillis since when it is there
 * @param toMillis until when
 */
record ChosenSeries(
    SeriesKey key,
    Unit unit,
    @Nullable Series living,
    Set<ExposedForm> forms,
    long fromMillis,
    long toMillis) {
  MetricNames names() {
    return MetricNames.of(key.name(), unit);
  }

  /** Its labels, as those of one of its metrics. */
  MetricLabels labels(ExposedForm form) {
    return MetricLabels.of(form.metric(names()), key.labels().asMap());
  }

  /** Whether it is there within a window that ends then. */
  boolean isPresent(long fromExclusive, long to) {
    return fromMillis <= to && toMillis > fromExclusive;
  }
}

package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Series;
import org.jspecify.annotations.Nullable;

/** How the rules stand that are about a series, all as of one evaluation. Any thread. */
@FunctionalInterface
public interface SeriesVerdicts {
  /** The worst of all rules whose selector matches the series; null if there is none. */
  @Nullable SlaState worstOf(Series series);
}

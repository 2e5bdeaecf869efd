package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts values into a store, an interval each, in buckets of 3 digits. */
final class Recorded {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private Recorded() {}

  static Series merge(SeriesStore store, String name, long... values) throws RefusedException {
    return merge(store, new SeriesKey(name, Labels.of("route", "/pay")), Unit.NANOSECONDS, values);
  }

  static Series merge(SeriesStore store, SeriesKey key, Unit unit, long... values)
      throws RefusedException {
    return merge(store, key, unit, null, values);
  }

  /** A value with its trace. */
  static void merge(SeriesStore store, String name, Exemplar exemplar) throws RefusedException {
    merge(
        store,
        new SeriesKey(name, Labels.of("route", "/pay")),
        Unit.NANOSECONDS,
        exemplar,
        exemplar.value());
  }

  private static Series merge(
      SeriesStore store, SeriesKey key, Unit unit, @Nullable Exemplar exemplar, long... values)
      throws RefusedException {
    Series series =
        store.register(new SeriesDefinition(key, unit, "Time to pay.", LAYOUT, Long.MAX_VALUE / 2));
    if (values.length > 0) {
      DecodedHistogram decoded = new DecodedHistogram();
      decoded.start(LAYOUT, Long.MAX_VALUE / 2);
      TreeMap<Integer, Long> counts = new TreeMap<>();
      Arrays.stream(values).forEach(v -> counts.merge(LAYOUT.indexOf(v), 1L, Long::sum));
      counts.forEach((index, count) -> decoded.counts().visit(index, count));
      long now = System.currentTimeMillis();
      SumMinMax sumMinMax =
          SumMinMax.of(
              0,
              Arrays.stream(values).sum(),
              true,
              Arrays.stream(values).min().orElseThrow(),
              Arrays.stream(values).max().orElseThrow());
      store.merge(series, decoded, now - 1000, now, sumMinMax, exemplar);
    }
    return series;
  }
}

package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Merges raw values as intervals of a second, as a client would send them. */
final class Recorded {
  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 1L << 42;

  private final SeriesStore store;

  Recorded(SeriesStore store) {
    this.store = store;
  }

  Series merge(String name, String label, String value, long endMillis, long... values)
      throws Exception {
    return merge(LAYOUT, Unit.NANOSECONDS, name, label, value, endMillis, values);
  }

  Series merge(
      BucketLayout layout,
      Unit unit,
      String name,
      String label,
      String value,
      long endMillis,
      long... values)
      throws Exception {
    Series series =
        store.register(
            new SeriesDefinition(
                new SeriesKey(name, Labels.of(label, value)), unit, "Test.", layout, HIGHEST));
    long sum = Arrays.stream(values).sum();
    long min = Arrays.stream(values).min().orElse(Long.MAX_VALUE);
    long max = Arrays.stream(values).max().orElse(0);
    store.merge(
        series,
        decoded(layout, values),
        endMillis - 1000,
        endMillis,
        SumMinMax.of(0, sum, true, min, max));
    return series;
  }

  private static DecodedHistogram decoded(BucketLayout layout, long[] values) throws Exception {
    PagedCounts counts = new PagedCounts(layout);
    for (long value : values) {
      counts.add(layout.indexOf(value), 1);
    }
    try (HistogramEncoder encoder = new HistogramEncoder();
        HistogramDecoder decoder = new HistogramDecoder(1 << 24)) {
      ByteBuffer payload = encoder.encode(counts, HIGHEST, 0);
      byte[] bytes = new byte[payload.remaining()];
      payload.get(bytes);
      DecodedHistogram decoded = new DecodedHistogram();
      decoder.decode(bytes, 0, bytes.length, decoded);
      return decoded;
    }
  }

  static long[] joined(long[] a, long[] b) {
    return LongStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
  }
}

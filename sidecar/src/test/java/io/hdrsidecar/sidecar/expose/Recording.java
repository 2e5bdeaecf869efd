package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.interval.PagedCounts;
import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.interval.SeriesKey;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.wire.DecodedHistogram;
import io.hdrsidecar.wire.HistogramDecoder;
import io.hdrsidecar.wire.HistogramEncoder;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Puts values into a store as a client would: an interval each, through encoder and decoder. */
final class Recording {
  private static final long HIGHEST = 3_600_000_000_000L;

  private Recording() {}

  static SeriesDefinition definition(String name, Labels labels, Unit unit, String help) {
    return definition(name, labels, unit, help, 3);
  }

  static SeriesDefinition definition(
      String name, Labels labels, Unit unit, String help, int digits) {
    return new SeriesDefinition(
        new SeriesKey(name, labels), unit, help, BucketLayout.of(1, digits), HIGHEST);
  }

  static Series record(SeriesStore store, SeriesDefinition definition, long... values)
      throws Exception {
    Series series = store.register(definition);
    if (values.length == 0) {
      return series;
    }
    PagedCounts counts = new PagedCounts(definition.layout());
    for (long value : values) {
      counts.add(counts.layout().indexOf(value), 1);
    }
    DecodedHistogram decoded = new DecodedHistogram();
    try (HistogramEncoder encoder = new HistogramEncoder();
        HistogramDecoder decoder = new HistogramDecoder(1 << 20)) {
      ByteBuffer bytes = encoder.encode(counts, Math.max(HIGHEST, Long.MAX_VALUE / 2), 1);
      byte[] payload = new byte[bytes.remaining()];
      bytes.get(payload);
      decoder.decode(payload, 0, payload.length, decoded);
    }
    BigInteger sum =
        Arrays.stream(values)
            .mapToObj(BigInteger::valueOf)
            .reduce(BigInteger.ZERO, BigInteger::add);
    long now = System.currentTimeMillis();
    store.merge(
        series,
        decoded,
        now - 1_000,
        now,
        sum.shiftRight(Long.SIZE).longValueExact(),
        sum.longValue(),
        Arrays.stream(values).min().orElseThrow(),
        Arrays.stream(values).max().orElseThrow());
    return series;
  }
}

package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;

/** Definitions and decoded intervals for tests, made through the real encoder and decoder. */
public final class Intervals {
  public static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 1L << 42;

  private Intervals() {}

  public static SeriesDefinition definition(String name, String... labels) {
    return definition(name, Unit.NANOSECONDS, LAYOUT, labels);
  }

  public static SeriesDefinition definition(
      String name, Unit unit, BucketLayout layout, String... labels) {
    return new SeriesDefinition(
        new SeriesKey(name, Labels.of(labels)), unit, "help of " + name, layout, HIGHEST);
  }

  public static DecodedHistogram decoded(BucketLayout layout, long... values) {
    PagedCounts counts = new PagedCounts(layout);
    for (long value : values) {
      counts.add(layout.indexOf(value), 1);
    }
    return decoded(counts);
  }

  public static DecodedHistogram decoded(PagedCounts counts) {
    try (HistogramEncoder encoder = new HistogramEncoder();
        HistogramDecoder decoder = new HistogramDecoder(1 << 24)) {
      ByteBuffer payload = encoder.encode(counts, HIGHEST, 0);
      DecodedHistogram decoded = new DecodedHistogram();
      byte[] bytes = new byte[payload.remaining()];
      payload.get(bytes);
      decoder.decode(bytes, 0, bytes.length, decoded);
      return decoded;
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }
}

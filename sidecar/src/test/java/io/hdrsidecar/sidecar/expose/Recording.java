package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Puts values into a store as a client would: an interval each, through encoder and decoder. */
public final class Recording {
  private static final long HIGHEST = 3_600_000_000_000L;

  private Recording() {}

  public static SeriesDefinition definition(String name, Labels labels, Unit unit, String help) {
    return definition(name, labels, unit, help, 3);
  }

  public static SeriesDefinition definition(
      String name, Labels labels, Unit unit, String help, int digits) {
    return new SeriesDefinition(
        new SeriesKey(name, labels), unit, help, BucketLayout.of(1, digits), HIGHEST);
  }

  public static Series record(SeriesStore store, SeriesDefinition definition, long... values)
      throws Exception {
    return record(store, definition, null, values);
  }

  /** As a frame from a client, with an exemplar if there is one. */
  public static Series record(
      SeriesStore store, SeriesDefinition definition, @Nullable Exemplar exemplar, long... values)
      throws Exception {
    Series series = store.register(definition);
    if (values.length == 0) {
      return series;
    }
    Accumulation counted = new Accumulation(definition.layout());
    for (long value : values) {
      counted.counts().add(definition.layout().indexOf(value), 1);
      counted.sum().add(value);
      counted.widen(value, value);
    }
    FrameEncoder frames = new FrameEncoder();
    IntervalFrame frame = new IntervalFrame();
    DecodedHistogram decoded = new DecodedHistogram();
    try (HistogramEncoder encoder = new HistogramEncoder();
        HistogramDecoder decoder = new HistogramDecoder(1 << 20)) {
      long now = System.currentTimeMillis();
      ByteBuffer payload = encoder.encode(counted.counts(), Long.MAX_VALUE / 2, 1);
      frames.interval(1, 1, IntervalHeader.of(counted, now - 1000, now), payload, exemplar);
      byte[] bytes = frames.take();
      FrameDecoder in = new FrameDecoder(1 << 20);
      in.next(ByteBuffer.wrap(bytes));
      in.interval(frame);
      decoder.decode(bytes, frame.payloadOffset(), frame.payloadLength(), decoded);
    }
    store.merge(() -> new InstanceId(1, 1), series, decoded, frame);
    return series;
  }
}

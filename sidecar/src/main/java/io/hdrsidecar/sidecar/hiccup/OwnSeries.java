package io.hdrsidecar.sidecar.hiccup;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.ByteBuffer;

/**
 * A series the sidecar records itself. What it harvests takes the form in which a client's
 * intervals arrive, so that the store needs no second door. Merge context.
 */
final class OwnSeries implements AutoCloseable {
  private final SeriesStore store;
  private final IntervalSource source;
  private final SeriesDefinition definition;
  private final Accumulation harvest;
  private final HistogramEncoder encoder;
  private final HistogramDecoder decoder;
  private final DecodedHistogram decoded = new DecodedHistogram();
  private long startMillis = -1;

  OwnSeries(SeriesStore store, SeriesDefinition definition, IntervalSource source)
      throws RefusedException {
    this.store = store;
    this.source = source;
    this.definition = definition;
    store.register(definition); // Shows it from the start, and throws now rather than later.
    this.harvest = new Accumulation(definition.layout());
    this.encoder = new HistogramEncoder();
    this.decoder = new HistogramDecoder(definition.counters());
  }

  void merge(long endMillis) throws RefusedException {
    long start = startMillis < 0 ? endMillis : Math.min(startMillis, endMillis);
    startMillis = endMillis;
    harvest.clear();
    if (source.harvestInto(harvest) > 0) {
      store.merge(
          store.register(definition), decodedHarvest(), start, endMillis, harvest.sumMinMax());
    }
  }

  private DecodedHistogram decodedHarvest() {
    ByteBuffer payload =
        encoder.encode(harvest.counts(), definition.highestTrackableValue(), /* deflateLevel= */ 0);
    try {
      decoder.decode(
          payload.array(),
          payload.arrayOffset() + payload.position(),
          payload.remaining(),
          decoded);
      return decoded;
    } catch (MalformedFrameException e) {
      throw new IllegalStateException("our own encoding cannot be read", e);
    }
  }

  @Override
  public void close() {
    encoder.close();
    decoder.close();
  }
}

package io.hdrsidecar.fleet.demo;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.IntervalHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Intervals that are encoded before anything is measured: log-normal values around a millisecond, 3
 * digits, as many as make payloads of the wanted length. Deflated, as a gateway asks of sidecars on
 * other machines. One thread at a time.
 */
final class LoadPayloads {
  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  static final long HIGHEST = 3_600_000_000_000L;

  /** So many are different: few are in one batch twice, which would compress too well. */
  static final int SIZE = 2048;

  private static final double TYPICAL_NANOS = 1e6;
  private static final double SPREAD = 0.5;
  private static final int DEFLATE_LEVEL = 1;
  private static final int MORE_VALUES = 4;

  private final List<Payload> all = new ArrayList<>();
  private long bytes;

  private record Payload(Accumulation counted, ByteBuffer encoded, List<Long> values) {}

  /** Each with at least so many bytes. */
  LoadPayloads(int payloadBytes) {
    SplittableRandom random = new SplittableRandom(payloadBytes);
    try (HistogramEncoder encoder = new HistogramEncoder()) {
      for (int i = 0; i < SIZE; i++) {
        Payload payload = payload(payloadBytes, random, encoder);
        bytes += payload.encoded.remaining();
        all.add(payload);
      }
    }
  }

  private static Payload payload(
      int payloadBytes, SplittableRandom random, HistogramEncoder encoder) {
    Accumulation counted = new Accumulation(LAYOUT);
    List<Long> values = new ArrayList<>();
    while (true) {
      for (int i = 0; i < MORE_VALUES; i++) {
        long value = (long) (TYPICAL_NANOS * Math.exp(SPREAD * random.nextGaussian()));
        counted.counts().add(LAYOUT.indexOf(value), 1);
        counted.sum().add(value);
        counted.widen(value, value);
        values.add(value);
      }
      ByteBuffer encoded = encoder.encode(counted.counts(), HIGHEST, DEFLATE_LEVEL);
      if (encoded.remaining() >= payloadBytes) {
        return new Payload(
            counted, ByteBuffer.allocate(encoded.remaining()).put(encoded).flip(), values);
      }
    }
  }

  /** Writes an interval with one of the payloads, 0 to {@value #SIZE} without. */
  void write(
      FrameEncoder out, int payload, long sequence, int id, long startMillis, long endMillis) {
    Payload of = all.get(payload);
    out.interval(
        sequence,
        id,
        IntervalHeader.of(of.counted, startMillis, endMillis),
        of.encoded.duplicate());
  }

  /** What HdrHistogram says of all values of these payloads, each so often. */
  FleetStatistics statistics(long[] times) {
    RawTruth truth = new RawTruth();
    for (int i = 0; i < SIZE; i++) {
      if (times[i] > 0) {
        for (long value : all.get(i).values) {
          truth.record(value, times[i]);
        }
      }
    }
    return truth.statistics();
  }

  /** Mean length. */
  long meanBytes() {
    return bytes / SIZE;
  }
}

package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Intervals that are encoded before anything is measured: 3 digits, 1 ns to 1 h, log-normal around
 * 3 ms, each with as many non-zero buckets as asked for. Any number of threads.
 */
final class IntervalPool {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final double TYPICAL_NANOS = 3e6;
  private static final int SIZE = 256;
  private static final long INTERVAL_MILLIS = 1000;

  /** The name of all series, as registered; they differ in the label {@code n}. */
  static final String NAME = "load";

  /** Standard deviation of the logarithms: 99.7 % of the values from 0.7 to 13 ms. */
  static final double SPREAD = 0.5;

  private final Accumulation[] counted = new Accumulation[SIZE];
  private final ByteBuffer[] payloads = new ByteBuffer[SIZE];

  /**
   * Encodes the intervals.
   *
   * @param buckets non-zero buckets of each
   * @param deflateLevel 0 for raw payloads
   */
  IntervalPool(int buckets, int deflateLevel) {
    SplittableRandom random = new SplittableRandom(buckets);
    try (HistogramEncoder encoder = new HistogramEncoder()) {
      for (int i = 0; i < SIZE; i++) {
        counted[i] = withBuckets(buckets, random);
        ByteBuffer encoded = encoder.encode(counted[i].counts(), HIGHEST, deflateLevel);
        payloads[i] = ByteBuffer.allocate(encoded.remaining()).put(encoded).flip();
      }
    }
  }

  private static Accumulation withBuckets(int buckets, SplittableRandom random) {
    Accumulation counts = new Accumulation(LAYOUT);
    Set<Integer> filled = new HashSet<>();
    while (filled.size() < buckets) {
      long value = (long) (TYPICAL_NANOS * Math.exp(SPREAD * random.nextGaussian()));
      int bucket = LAYOUT.indexOf(value);
      filled.add(bucket);
      counts.counts().add(bucket, 1);
      counts.sum().add(value);
      counts.widen(value, value);
    }
    return counts;
  }

  static SeriesDefinition definition(int series) {
    SeriesKey key = new SeriesKey(NAME, Labels.of("n", Integer.toString(series)));
    return new SeriesDefinition(key, Unit.NANOSECONDS, "Load.", LAYOUT, HIGHEST);
  }

  /** The payload of an interval; numbers beyond the pool begin again. */
  ByteBuffer payload(long number) {
    return payloads[(int) (number % SIZE)].duplicate();
  }

  /** The figures of an interval of the second that ends then. */
  IntervalHeader figures(long number, long endMillis) {
    return IntervalHeader.of(
        counted[(int) (number % SIZE)], endMillis - INTERVAL_MILLIS, endMillis);
  }

  /** Mean length of the payloads. */
  long payloadBytes() {
    long all = 0;
    for (ByteBuffer payload : payloads) {
      all += payload.remaining();
    }
    return all / SIZE;
  }
}

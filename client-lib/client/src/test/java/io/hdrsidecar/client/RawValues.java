package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Values as a test recorded them, against which what arrived is compared. */
final class RawValues {
  private RawValues() {}

  /** Latencies around 1 ms with a long tail, in nanoseconds. */
  static long[] latencies(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return random.longs(count).map(ignored -> latency(random)).toArray();
  }

  private static long latency(SplittableRandom random) {
    return (long) (1e6 * Math.exp(1.5 * random.nextGaussian()));
  }

  static long[] joined(long[]... lists) {
    return Arrays.stream(lists).flatMapToLong(Arrays::stream).toArray();
  }

  /** Buckets as HdrHistogram counts the raw values; sum, minimum and maximum from the list. */
  static void assertArrived(@Nullable Accumulation arrived, long[] raw) {
    assertThat(arrived).isNotNull();
    if (arrived == null) {
      return;
    }
    assertThat(arrived.count()).isEqualTo(raw.length);
    assertThat(buckets(arrived)).isEqualTo(buckets(raw));
    assertThat(arrived.sum().toBigInteger())
        .isEqualTo(BigInteger.valueOf(Arrays.stream(raw).sum()));
    assertThat(arrived.min()).isEqualTo(Arrays.stream(raw).min().orElseThrow());
    assertThat(arrived.max()).isEqualTo(Arrays.stream(raw).max().orElseThrow());
  }

  private static Map<Long, Long> buckets(Accumulation arrived) {
    Map<Long, Long> buckets = new TreeMap<>();
    arrived
        .counts()
        .forEach(
            (index, count) -> buckets.put(arrived.counts().layout().lowestValueAt(index), count));
    return buckets;
  }

  private static Map<Long, Long> buckets(long[] raw) {
    Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
    Arrays.stream(raw).forEach(histogram::recordValue);
    Map<Long, Long> buckets = new TreeMap<>();
    histogram
        .recordedValues()
        .forEach(
            value ->
                buckets.put(
                    histogram.lowestEquivalentValue(value.getValueIteratedTo()),
                    value.getCountAtValueIteratedTo()));
    return buckets;
  }
}

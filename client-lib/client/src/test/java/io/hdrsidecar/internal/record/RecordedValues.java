package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Raw values, and what HdrHistogram and plain arithmetic say about them. */
final class RecordedValues {
  private final BucketLayout layout;
  private final long highest;
  private final long[] values;

  private RecordedValues(BucketLayout layout, long highest, long[] values) {
    this.layout = layout;
    this.highest = highest;
    this.values = values;
  }

  BucketLayout layout() {
    return layout;
  }

  long highest() {
    return highest;
  }

  /** One non-zero bucket: highest equivalent value and count. */
  record Bucket(long highestEquivalent, long count) {}

  /** Values of every magnitude the range has, zero and the highest among them. */
  static RecordedValues random(BucketLayout layout, long highest, int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] values = new long[size];
    for (int i = 0; i < size; i++) {
      long magnitude = -1L >>> random.nextInt(1, 65);
      values[i] = Math.min(random.nextLong() & magnitude & Long.MAX_VALUE, highest);
    }
    values[size / 3] = highest;
    values[size / 2] = 0;
    return new RecordedValues(layout, highest, values);
  }

  /** Values of a web service: log-normal around 1 ms. */
  static RecordedValues logNormal(BucketLayout layout, long highest, int size, long seed) {
    Random random = new Random(seed);
    long[] values = new long[size];
    Arrays.setAll(values, i -> (long) (1e6 * Math.exp(random.nextGaussian())));
    return new RecordedValues(layout, highest, values);
  }

  RecordedValues slice(int part, int parts) {
    int size = values.length / parts;
    return new RecordedValues(
        layout, highest, Arrays.copyOfRange(values, part * size, (part + 1) * size));
  }

  void recordInto(SeriesRecorder recorder) {
    for (long value : values) {
      recorder.record(value);
    }
  }

  void assertEqualTo(Accumulation recorded) {
    assertThat(recorded.count()).isEqualTo(values.length);
    assertThat(buckets(recorded)).isEqualTo(buckets());
    assertThat(recorded.sum().toBigInteger()).isEqualTo(sum());
    assertThat(recorded.min()).isEqualTo(Arrays.stream(values).min().orElseThrow());
    assertThat(recorded.max()).isEqualTo(Arrays.stream(values).max().orElseThrow());
  }

  private BigInteger sum() {
    return Arrays.stream(values)
        .mapToObj(BigInteger::valueOf)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private List<Bucket> buckets() {
    Histogram histogram =
        new Histogram(layout.lowestDiscernibleValue(), highest, layout.significantDigits());
    for (long value : values) {
      histogram.recordValue(value);
    }
    List<Bucket> buckets = new ArrayList<>();
    for (HistogramIterationValue bucket : histogram.recordedValues()) {
      buckets.add(
          new Bucket(bucket.getValueIteratedTo(), bucket.getCountAddedInThisIterationStep()));
    }
    return buckets;
  }

  static List<Bucket> buckets(Accumulation recorded) {
    BucketLayout layout = recorded.counts().layout();
    List<Bucket> buckets = new ArrayList<>();
    recorded
        .counts()
        .forEach((index, count) -> buckets.add(new Bucket(layout.highestValueAt(index), count)));
    return buckets;
  }
}

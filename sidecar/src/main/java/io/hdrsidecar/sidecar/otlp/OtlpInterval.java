package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.otlp.DataPoint.SentExemplar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a point adds to a series, in the series' unit and buckets. Base-2 buckets stay base-2 ones,
 * and explicit ones stay explicit; nothing is recorded again. One thread at a time.
 *
 * <p>A bound between two whole numbers becomes the one below: the values up to it are the same.
 */
final class OtlpInterval {
  private static final BigDecimal OPEN = BigDecimal.valueOf(Long.MAX_VALUE);

  private final SeriesKey key;
  private final OtlpNaming.Named metric;
  private final PointCounts counts;
  private final boolean isBase2;
  private final long[] explicitBounds;
  private final long[] explicitCounts;
  private long negative;
  private boolean rounded;

  /** Of a point that counts something. */
  OtlpInterval(SeriesKey key, OtlpNaming.Named metric, PointCounts counts) {
    this.key = key;
    this.metric = metric;
    this.counts = counts;
    this.isBase2 = counts.positive() != null;
    this.negative = counts.negativeCount();
    double[] bounds = counts.bounds();
    long[] wholeBounds = new long[bounds == null ? 0 : bounds.length];
    long[] joined = new long[wholeBounds.length + 1];
    int size = bounds == null ? 0 : joinEqual(bounds, wholeBounds, joined);
    explicitBounds = Arrays.copyOf(wholeBounds, size);
    explicitCounts = Arrays.copyOf(joined, size + 1);
  }

  /**
   * Puts buckets together that lie between the same whole numbers.
   *
   * @return how many bounds there are; behind them in the counts comes the open bucket
   */
  private int joinEqual(double[] bounds, long[] wholeBounds, long[] joined) {
    int size = 0;
    long open = counts.counts()[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      long count = counts.counts()[i];
      BigDecimal bound = bounds[i] >= 0 && bounds[i] <= 1e19 ? inSeries(bounds[i]) : null;
      if (bounds[i] < 0) {
        negative += count;
      } else if (bound == null || bound.compareTo(OPEN) >= 0) {
        open += count;
      } else {
        long whole = bound.setScale(0, RoundingMode.FLOOR).longValue();
        rounded |= bound.stripTrailingZeros().scale() > 0;
        if (size > 0 && wholeBounds[size - 1] == whole) {
          joined[size - 1] += count;
        } else {
          wholeBounds[size] = whole;
          joined[size++] = count;
        }
      }
    }
    joined[size] = open;
    return size;
  }

  private BigDecimal inSeries(double value) {
    return new BigDecimal(Double.toString(value))
        .multiply(BigDecimal.valueOf(metric.unit().valuesPerUnit()));
  }

  /** Name and labels. */
  SeriesKey key() {
    return key;
  }

  /** Whether it has a scale, which can be made coarser. */
  boolean isBase2() {
    return isBase2;
  }

  /** Scale in which it was sent. */
  int scale() {
    Base2Buckets positive = counts.positive();
    return positive == null ? 0 : positive.scale();
  }

  /** Values below 0, which a series cannot count. */
  long negative() {
    return negative;
  }

  /** How many values a series can count. */
  long total() {
    return counts.total() - negative;
  }

  /** Whether bounds lay between whole numbers. */
  boolean isRounded() {
    return rounded;
  }

  /**
   * The series, with the buckets that it needs.
   *
   * @param scale of base-2 buckets, at most {@link #scale}
   * @throws IllegalArgumentException when there cannot be such buckets
   */
  SeriesDefinition definition(int scale) {
    BucketLayout layout =
        isBase2
            ? BucketLayout.base2(scale, metric.unit().valuesPerUnit())
            : BucketLayout.explicit(explicitBounds);
    return new SeriesDefinition(key, metric.unit().kept(), metric.help(), layout, Long.MAX_VALUE);
  }

  /**
   * Puts the counts into buckets of the series, in ascending order.
   *
   * @param definition what {@link #definition} gave
   */
  void fill(DecodedHistogram into, SeriesDefinition definition, int scale) {
    BucketLayout layout = definition.layout();
    into.start(layout, definition.highestTrackableValue());
    if (!isBase2) {
      for (int i = 0; i < explicitCounts.length; i++) {
        if (explicitCounts[i] > 0) {
          into.counts().visit(i, explicitCounts[i]);
        }
      }
      return;
    }
    Base2Buckets positive = counts.positive();
    int at = 0;
    long count = counts.zeroCount();
    if (positive != null) {
      Base2Buckets scaled = positive.at(scale);
      for (int i = 0; i < scaled.counts().length; i++) {
        long more = scaled.counts()[i];
        if (more > 0) {
          int index = layout.base2IndexOf(scaled.offset() + i);
          if (index != at && count > 0) {
            into.counts().visit(at, count);
            count = 0;
          }
          at = index;
          count += more;
        }
      }
    }
    if (count > 0) {
      into.counts().visit(at, count);
    }
  }

  /**
   * Sum, smallest and largest, where the sender says them; else the sum from the middle of each
   * bucket, and the extremes from the edges.
   */
  SumMinMax sumMinMax(DecodedHistogram filled) {
    SumMinMax sumMinMax = new SumMinMax();
    BigInteger sum = counts.sum();
    long smallest = negative > 0 ? SumMinMax.UNKNOWN : whole(counts.min());
    long largest = whole(counts.max());
    if (sum != null && negative == 0) {
      sumMinMax.set(
          sum.shiftRight(Long.SIZE).longValue(), sum.longValue(), true, smallest, largest);
      return sumMinMax;
    }
    sumMinMax.set(0, 0, false, smallest, largest);
    for (int i = 0; i < filled.counts().size(); i++) {
      long middle = filled.layout().medianValueAt(filled.counts().indexAt(i));
      sumMinMax.sum().addProduct(middle, filled.counts().countAt(i));
    }
    return sumMinMax;
  }

  private long whole(double value) {
    if (Double.isNaN(value)) {
      return SumMinMax.UNKNOWN;
    }
    if (value <= 0) {
      return 0;
    }
    return value > 1e19
        ? Long.MAX_VALUE
        : inSeries(value).setScale(0, RoundingMode.HALF_UP).min(OPEN).longValue();
  }

  /** Milliseconds since the epoch. */
  long startMillis() {
    return TimeUnit.NANOSECONDS.toMillis(counts.startNanos());
  }

  /** Milliseconds since the epoch. */
  long endMillis() {
    return TimeUnit.NANOSECONDS.toMillis(counts.endNanos());
  }

  /** In the unit of the series. */
  @Nullable Exemplar exemplar() {
    SentExemplar sent = counts.exemplar();
    if (sent == null) {
      return null;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(sent.timeNanos());
    return new Exemplar(
        whole(sent.value()), millis == 0 ? endMillis() : millis, sent.traceId(), sent.spanId());
  }
}

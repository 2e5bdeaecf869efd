package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import org.jspecify.annotations.Nullable;

/**
 * What one name with its tags, as they were sent, has counted since it was handed over last.
 *
 * <p>A value at a sample rate of 0.3 stands for 3.333 values, and a count is a whole number. So the
 * part that is missing or too much is carried to the next value of the series: after any number of
 * values their count is the nearest whole number to what they stand for, for each rate and for a
 * mixture of them. One thread at a time.
 */
final class StatsdSeries {
  /** This object, an empty accumulation and its figures. */
  static final long OBJECT_BYTES = 336;

  private static final double HALF = 0.5;

  private final SeriesDefinition definition;
  private final BucketLayout layout;
  private final long highest;
  private final int power;
  private final double factor;
  private @Nullable Accumulation values;
  private double carried = HALF;

  /**
   * A series without values.
   *
   * @param power of ten by which numbers are multiplied to have the unit of the series
   * @param factor by which they are multiplied beforehand; 1 for none
   */
  StatsdSeries(SeriesDefinition definition, int power, double factor) {
    this.definition = definition;
    this.layout = definition.layout();
    this.highest = definition.highestTrackableValue();
    this.power = power;
    this.factor = factor == 1 ? 1 : factor * Math.pow(10, power);
  }

  /** Name, labels, unit and layout. */
  SeriesDefinition definition() {
    return definition;
  }

  /** Whether nothing was counted since the last {@link #harvest}. */
  boolean isEmpty() {
    return values == null;
  }

  /** Bytes on the heap beside those of its name, as estimated. */
  long heapBytes() {
    return values == null ? OBJECT_BYTES : OBJECT_BYTES + values.counts().allocatedBytes();
  }

  /**
   * Counts a number.
   *
   * @param weight how many values it stands for, 1 or more
   * @param changes told when another value is counted than was sent
   */
  void record(DecimalNumber number, double weight, ValueChanges changes) {
    long value = factor == 1 ? number.times10To(power) : number.times(factor);
    if (number.isNegative()) {
      value = 0;
      changes.negative();
    } else if (value > highest) {
      value = highest;
      changes.tooLarge();
    } else if (number.isRounded()) {
      changes.rounded();
    }
    long count = 1;
    if (weight != 1) {
      carried += weight;
      count = (long) carried;
      carried -= count;
    }
    add(value, count);
  }

  private void add(long value, long count) {
    Accumulation into = values;
    if (into == null) {
      into = new Accumulation(layout);
      values = into;
    }
    into.counts().add(layout.indexOf(value), count);
    into.sum().addProduct(value, count);
    into.widen(value, value);
  }

  /** Takes away what was counted; null for nothing. What is carried stays. */
  @Nullable Accumulation harvest() {
    Accumulation counted = values;
    values = null;
    return counted;
  }
}

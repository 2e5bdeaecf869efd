package io.hdrsidecar.sidecar.otlp;

import org.jspecify.annotations.Nullable;

/**
 * A point of a histogram, as it was sent: all in the unit of the sender. Filled by {@link
 * PointReader} and thrown away. One thread at a time.
 */
final class DataPoint extends TimedPoint {
  long count;
  double sum = Double.NaN;
  double min = Double.NaN;
  double max = Double.NaN;

  /** Null for a histogram with explicit buckets. */
  @Nullable Base2Buckets positive;

  long zeroCount;
  double zeroThreshold;
  long negativeCount;

  /** Null for one with base-2 buckets. One bound fewer than counts, or neither. */
  double @Nullable [] bounds;

  long[] counts = new long[0];

  /** The one with the largest value among those with a trace. */
  @Nullable SentExemplar exemplar;

  /**
   * A value with its trace.
   *
   * @param value in the unit of the sender
   * @param traceId hexadecimal
   * @param spanId hexadecimal; may be empty
   */
  record SentExemplar(double value, long timeNanos, String traceId, String spanId) {}
}

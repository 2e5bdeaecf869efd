package io.hdrsidecar.internal.interval;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Buckets between bounds that a sender has chosen, one kind of {@link BucketLayout}. */
final class ExplicitLayout extends BucketLayout {
  static final String PREFIX = "explicit:";

  private final long[] upperBounds;

  private ExplicitLayout(long[] bounds) {
    if (bounds.length > MAX_BOUNDS) {
      throw new IllegalArgumentException(
          "buckets may have at most " + MAX_BOUNDS + " bounds: " + bounds.length);
    }
    for (int i = 0; i < bounds.length; i++) {
      if (bounds[i] < 0 || bounds[i] == Long.MAX_VALUE || (i > 0 && bounds[i] <= bounds[i - 1])) {
        throw new IllegalArgumentException(
            "bounds of buckets must ascend, from 0 to below 2^63 - 1: "
                + bounds[i]
                + " at "
                + i
                + (i > 0 ? " after " + bounds[i - 1] : ""));
      }
    }
    upperBounds = bounds.clone();
  }

  /** As {@link BucketLayout#explicit}. */
  static BucketLayout create(long[] upperBounds) {
    return new ExplicitLayout(upperBounds);
  }

  static BucketLayout read(String text) {
    String bounds = text.substring(PREFIX.length());
    return bounds.isEmpty()
        ? create(new long[0])
        : create(Arrays.stream(bounds.split(",", -1)).mapToLong(Long::parseLong).toArray());
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public long heapBytes() {
    return (long) Long.BYTES * upperBounds.length + 2L * toString().length();
  }

  @Override
  public int indexOf(long value) {
    int found = Arrays.binarySearch(upperBounds, value);
    return found >= 0 ? found : -found - 1;
  }

  @Override
  public long lowestValueAt(int index) {
    return index == 0 ? 0 : upperBounds[Math.min(index, upperBounds.length) - 1] + 1;
  }

  @Override
  public long highestValueAt(int index) {
    return index < upperBounds.length ? upperBounds[index] : Long.MAX_VALUE;
  }

  /** Of the open bucket, its lowest: there is no middle. */
  @Override
  public long medianValueAt(int index) {
    long lowest = lowestValueAt(index);
    return index < upperBounds.length ? lowest + (upperBounds[index] - lowest) / 2 : lowest;
  }

  @Override
  public long widthAt(int index) {
    return widthOf(lowestValueAt(index), highestValueAt(index));
  }

  @Override
  public int countersUpTo(long highestTrackableValue) {
    requireRange(highestTrackableValue);
    return indexOf(highestTrackableValue) + 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExplicitLayout that && Arrays.equals(upperBounds, that.upperBounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(upperBounds);
  }

  @Override
  public String toString() {
    return Arrays.stream(upperBounds)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(",", PREFIX, ""));
  }
}

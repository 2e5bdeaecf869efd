package io.hdrsidecar.sidecar.otlp;

import java.util.Arrays;

/** Numbers of 64 bits, as they come. One thread at a time. */
final class NumberRow {
  private final int most;
  private long[] numbers = new long[0];
  private int size;

  NumberRow(int most) {
    this.most = most;
  }

  void add(long number) throws RejectedPointException {
    if (size == most) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_POINT, "there are more than " + most + " buckets or bounds");
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(16, 2 * size));
    }
    numbers[size++] = number;
  }

  long[] longs() {
    return Arrays.copyOf(numbers, size);
  }

  double[] doubles() {
    double[] doubles = new double[size];
    for (int i = 0; i < size; i++) {
      doubles[i] = Double.longBitsToDouble(numbers[i]);
    }
    return doubles;
  }
}

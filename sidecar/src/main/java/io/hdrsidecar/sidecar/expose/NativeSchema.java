package io.hdrsidecar.sidecar.expose;

import java.util.Arrays;

/**
 * The buckets of Prometheus' native histograms with standard schemas.
 *
 * <p>Of schema {@code s}, bucket {@code i} holds the values from above {@code base^(i-1)} up to
 * {@code base^i}, where {@code base} is {@code 2^(2^-s)}. Each bucket of a coarser schema joins
 * whole buckets of a finer one, so the index in the finest schema tells all others by shifting.
 *
 * <p>Source: https://prometheus.io/docs/specs/native_histograms/, "Standard exponential schemas".
 */
final class NativeSchema {
  static final int FINEST = 8;
  static final int COARSEST = -4;

  /**
   * Values up to this are in the zero bucket: the threshold of Prometheus' own clients, smaller
   * than any value other than 0 here.
   */
  static final double ZERO_THRESHOLD = 0x1p-128;

  private static final int PER_OCTAVE = 1 << FINEST;

  /** Upper bounds of the finest buckets between 0.5 (included) and 1 (not included). */
  private static final double[] FRACTIONS = fractions();

  private NativeSchema() {}

  private static double[] fractions() {
    double[] bounds = new double[PER_OCTAVE];
    Arrays.setAll(bounds, i -> 0.5 * Math.pow(2, (double) i / PER_OCTAVE));
    return bounds;
  }

  /** Bucket of a value above 0. */
  static int indexOf(double value, int schema) {
    int exponent = Math.getExponent(value) + 1;
    int found = Arrays.binarySearch(FRACTIONS, Math.scalb(value, -exponent));
    int place = found >= 0 ? found : -found - 1;
    return coarsened((exponent - 1) * PER_OCTAVE + place, FINEST - schema);
  }

  /** The bucket that holds this one, some schemas coarser. */
  static int coarsened(int index, int schemas) {
    return ((index - 1) >> schemas) + 1;
  }

  /** Highest value of a bucket. */
  static double upperBound(int index, int schema) {
    int finest = schema == FINEST ? index : index << (FINEST - schema);
    double fraction = FRACTIONS[Math.floorMod(finest, PER_OCTAVE)];
    return Math.scalb(fraction, Math.floorDiv(finest, PER_OCTAVE) + 1);
  }
}

package io.hdrsidecar.benchmarks.peers;

import java.util.Locale;

/** Numbers as tables have them. */
final class Numbers {
  private Numbers() {}

  /** {@code 1,000,000}. */
  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Three digits that count: {@code 0.0123}, {@code 1.23}, {@code 123}, {@code 12,345}. */
  static String short3(double number) {
    if (!Double.isFinite(number)) { // such as a cost without an event
      return "–";
    }
    double size = Math.abs(number);
    if (size >= 100) {
      return grouped(Math.round(number));
    }
    int decimals = size == 0 ? 0 : Math.min(6, 2 - (int) Math.floor(Math.log10(size)));
    return String.format(Locale.ROOT, "%." + decimals + "f", number);
  }

  /** Mebibytes. */
  static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.0f", bytes / 1048576.0);
  }
}

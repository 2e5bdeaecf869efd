package io.hdrsidecar.sidecar.cli;

import picocli.CommandLine.Option;

/** What values are divided by before they are shown. */
final class RatioOption {
  @Option(
      names = "--ratio",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Divides values by N: 1000000 shows nanoseconds as milliseconds (default: ${DEFAULT-VALUE}).")
  private double ratio;

  /**
   * More than 0.
   *
   * @throws IllegalArgumentException when something else was asked for
   */
  double value() {
    return checked(ratio);
  }

  /** The same of a ratio from elsewhere. */
  static double checked(double ratio) {
    if (!(ratio > 0) || Double.isInfinite(ratio)) {
      throw new IllegalArgumentException("--ratio must be more than 0: " + ratio);
    }
    return ratio;
  }
}

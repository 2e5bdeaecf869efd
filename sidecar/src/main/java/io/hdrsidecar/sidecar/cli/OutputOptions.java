package io.hdrsidecar.sidecar.cli;

import picocli.CommandLine.Option;

/** How values are shown. */
final class OutputOptions {
  @Option(
      names = {"--ticks", "-percentilesOutputTicksPerHalf"},
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Steps of a percentile distribution for each halved distance to 100 %% (default: ${DEFAULT-VALUE}).")
  private int ticks;

  @Option(
      names = {"--expected-interval", "-correctLogWithKnownCoordinatedOmission"},
      paramLabel = "VALUE",
      defaultValue = "0",
      description =
          "Corrects a log that is known to have coordinated omission: adds what a caller who meant to "
              + "start one request each VALUE, in the unit of the recorded values, did not record while it "
              + "waited. The output says that it is corrected (default: ${DEFAULT-VALUE}).")
  private double expectedInterval;

  int ticks() {
    if (ticks < 1) {
      throw new IllegalArgumentException("--ticks must be at least 1: " + ticks);
    }
    return ticks;
  }

  OmissionCorrection correction() {
    if (expectedInterval < 0 || Double.isNaN(expectedInterval)) {
      throw new IllegalArgumentException(
          "--expected-interval must be 0 or more: " + expectedInterval);
    }
    return expectedInterval == 0
        ? OmissionCorrection.NONE
        : new OmissionCorrection(expectedInterval);
  }
}

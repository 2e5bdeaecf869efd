package io.hdrsidecar.client.hiccup;

import static io.hdrsidecar.internal.text.UserText.shown;

import java.time.Duration;

/**
 * How hiccups are measured. Immutable.
 *
 * @param resolution sleep between two measurements, 1 ms to 1 s. A shorter one would mislead:
 *     before JDK 21 {@link Thread#sleep} rounds up to whole milliseconds, and back-fill assumes
 *     that the interval is met
 * @param startDelay time from the start of the meter in which it measures but reports nothing, 0 to
 *     1 h: for class loading and compilation at the start of a process
 */
public record HiccupConfig(Duration resolution, Duration startDelay) {
  /** jHiccup's defaults: 1 ms, without delay. */
  public static final HiccupConfig DEFAULT = new HiccupConfig(Duration.ofMillis(1), Duration.ZERO);

  /** Checks the ranges; throws IllegalArgumentException. */
  public HiccupConfig {
    check("hiccup resolution must be 1ms to 1s", resolution, 1, 1_000);
    check("hiccup start delay must be 0s to 1h", startDelay, 0, 3_600_000);
  }

  private static void check(String expected, Duration value, long leastMillis, long mostMillis) {
    if (value.compareTo(Duration.ofMillis(leastMillis)) < 0
        || value.compareTo(Duration.ofMillis(mostMillis)) > 0) {
      throw new IllegalArgumentException(expected + ": " + shown(value));
    }
  }

  /** The same with another resolution. */
  public HiccupConfig withResolution(Duration sleep) {
    return new HiccupConfig(sleep, startDelay);
  }

  /** The same with another delay. */
  public HiccupConfig withStartDelay(Duration delay) {
    return new HiccupConfig(resolution, delay);
  }
}

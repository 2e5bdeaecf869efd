package io.hdrsidecar.client.hiccup;

import java.time.Duration;

/**
 * How hiccups are measured.
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
    check("hiccup resolution", resolution, Duration.ofMillis(1), Duration.ofSeconds(1));
    check("hiccup start delay", startDelay, Duration.ZERO, Duration.ofHours(1));
  }

  private static void check(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(name + " must be " + least + " to " + most + ": " + value);
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

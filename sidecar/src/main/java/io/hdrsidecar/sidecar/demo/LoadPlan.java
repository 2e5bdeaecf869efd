package io.hdrsidecar.sidecar.demo;

import java.time.Duration;

/**
 * What load to make.
 *
 * @param schedule when calls are meant to start
 * @param service what is called
 * @param seed of the service's random choices
 * @param duration after which no more calls are started
 */
record LoadPlan(StaggeredSchedule schedule, ServiceSpec service, long seed, Duration duration) {
  /** Until stopped. */
  static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

  LoadPlan {
    if (duration.isNegative() || duration.isZero() || duration.compareTo(UNLIMITED) > 0) {
      throw new IllegalArgumentException("duration must be positive: " + duration);
    }
  }
}

package io.hdrsidecar.sidecar.demo;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** How a call of the four-mode service goes; rare modes are slow ones. */
enum ServiceMode {
  /** 90 %: the cache has it. */
  FAST(9_000, 200, 1_000),
  /** 9 %: it must be fetched. */
  MEDIUM(900, 1_000, 10_000),
  /** 0.99 %: this one call is slow; its thread waits, the others do not. */
  SLOW(99, 10_000, 50_000),
  /** 0.01 %: a pause; everything stops, the callers included. */
  STOP(1, 50_000, 200_000);

  /** The frequencies are per this many calls, and add up to it. */
  static final int CALLS = 10_000;

  private static final ServiceMode[] ALL = values();

  private final int perTenThousand;
  private final long minNanos;
  private final long maxNanos;

  ServiceMode(int perTenThousand, long minMicros, long maxMicros) {
    this.perTenThousand = perTenThousand;
    this.minNanos = TimeUnit.MICROSECONDS.toNanos(minMicros);
    this.maxNanos = TimeUnit.MICROSECONDS.toNanos(maxMicros);
  }

  /** The mode of the next call. */
  static ServiceMode draw(SplittableRandom random) {
    int rest = random.nextInt(CALLS);
    for (ServiceMode mode : ALL) {
      rest -= mode.perTenThousand;
      if (rest < 0) {
        return mode;
      }
    }
    throw new AssertionError("the modes' frequencies do not add up to " + CALLS);
  }

  /** How long a call of this mode takes, in nanoseconds: evenly from minimum to maximum. */
  long drawNanos(SplittableRandom random) {
    return random.nextLong(minNanos, maxNanos + 1);
  }

  int perTenThousand() {
    return perTenThousand;
  }

  long minNanos() {
    return minNanos;
  }

  long maxNanos() {
    return maxNanos;
  }
}

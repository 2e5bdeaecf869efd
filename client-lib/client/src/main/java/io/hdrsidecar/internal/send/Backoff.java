package io.hdrsidecar.internal.send;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before connecting again: doubling from a first to a longest wait, each shortened
 * at random by up to a half, so that the clients of a restarted sidecar do not come back in step.
 */
public final class Backoff {
  private final long minNanos;
  private final long maxNanos;
  private final RandomGenerator random;
  private long nextNanos;

  /** Waits from the first to the longest, both above 0. */
  public Backoff(Duration min, Duration max, RandomGenerator random) {
    this.minNanos = min.toNanos();
    this.maxNanos = max.toNanos();
    this.random = random;
    this.nextNanos = minNanos;
  }

  /** Nanoseconds to wait now; the next answer is about twice as long. */
  public long next() {
    long full = nextNanos;
    nextNanos = Math.min(maxNanos, full * 2);
    return full - random.nextLong(full / 2 + 1);
  }

  /** Starts from the first wait again. */
  public void reset() {
    nextNanos = minNanos;
  }
}

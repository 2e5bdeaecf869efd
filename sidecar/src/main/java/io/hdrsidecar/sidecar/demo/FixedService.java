package io.hdrsidecar.sidecar.demo;

import java.time.Duration;

/** Takes the same time for every call, to within a few microseconds on an idle machine. */
final class FixedService implements MockService {
  /** Enough to hide the usual lateness of a timer, and short enough not to heat a core. */
  static final long SPIN_NANOS = 50_000;

  private final long nanos;
  private final PreciseWait wait = new PreciseWait(SPIN_NANOS);

  FixedService(Duration serviceTime) {
    this.nanos = serviceTime.toNanos();
  }

  @Override
  public void call() {
    wait.until(System.nanoTime() + nanos);
  }
}

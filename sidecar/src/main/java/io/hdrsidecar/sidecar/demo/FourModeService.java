package io.hdrsidecar.sidecar.demo;

import java.util.SplittableRandom;

/**
 * Answers mostly fast, sometimes slowly, and now and then stops everything: {@link ServiceMode}.
 *
 * <p>The sequence of modes and times depends on the random generator alone, not on the clock.
 */
final class FourModeService implements MockService {
  private final SplittableRandom random;
  private final Pause standstill;
  private final PreciseWait wait = new PreciseWait(0);

  FourModeService(SplittableRandom random, Pause standstill) {
    this.random = random;
    this.standstill = standstill;
  }

  @Override
  public void call() {
    ServiceMode mode = ServiceMode.draw(random);
    long nanos = mode.drawNanos(random);
    if (mode == ServiceMode.STOP) {
      standstill.begin(nanos);
    } else {
      wait.until(System.nanoTime() + nanos);
    }
    standstill.await();
  }
}

package io.hdrsidecar.fleet.demo;

import java.util.concurrent.TimeUnit;

/** Waits for processes to have come to something. */
final class ProcessWait {
  private static final long LOOK_AGAIN_MILLIS = 50;

  /** Something that may hold. */
  interface State {
    boolean holds() throws InterruptedException;
  }

  private ProcessWait() {}

  /**
   * Blocks until it holds.
   *
   * @param what it is, for people
   * @throws FleetException when it does not in that time
   */
  static void until(String what, int patienceSeconds, State state)
      throws FleetException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    while (!state.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new FleetException("waited " + patienceSeconds + " s for " + what);
      }
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
  }
}

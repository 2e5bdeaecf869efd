package io.hdrsidecar.sidecar.demo;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A pause that stops every caller, as a collector or a swapped-out page would.
 *
 * <p>Each caller passes here before it starts a call and before it ends one, and is held until the
 * pause is over. Calls that were meant to start meanwhile so start late: their service time looks
 * as if nothing had happened, and only their response time shows the pause.
 */
final class Pause {
  private final PreciseWait wait = new PreciseWait(0);
  private final AtomicLong endNanos = new AtomicLong(System.nanoTime());

  /** Stops everything from now on; a longer pause under way is kept. */
  void begin(long nanos) {
    long end = System.nanoTime() + nanos;
    endNanos.accumulateAndGet(end, (had, wanted) -> wanted - had > 0 ? wanted : had);
  }

  /** Returns when no pause is under way. */
  void await() {
    for (long end = endNanos.get(); end - System.nanoTime() > 0; end = endNanos.get()) {
      wait.until(end);
    }
  }
}

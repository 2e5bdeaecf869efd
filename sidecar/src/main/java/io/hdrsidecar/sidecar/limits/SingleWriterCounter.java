package io.hdrsidecar.sidecar.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A count that one thread raises and any thread reads: an ordered store instead of an atomic add.
 */
public final class SingleWriterCounter {
  private final AtomicLong value = new AtomicLong();

  /** Adds one. One thread only. */
  public void increment() {
    add(1);
  }

  /** Adds; of more than 0, stays at {@link Long#MAX_VALUE} once there. One thread only. */
  public void add(long more) {
    long sum = value.getPlain() + more;
    value.setRelease(sum < 0 ? Long.MAX_VALUE : sum);
  }

  /** The count so far. Any thread. */
  public long get() {
    return value.getAcquire();
  }
}

package io.hdrsidecar.sidecar.http;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of bodies may be held at a time, over all requests. Any thread. */
public final class UploadBudget {
  private final long maxBytes;
  private final AtomicLong heldBytes = new AtomicLong();

  /** Room for so many bytes. */
  public UploadBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes so many bytes; false, and nothing taken, when too many are held. */
  boolean take(int bytes) {
    if (heldBytes.addAndGet(bytes) <= maxBytes) {
      return true;
    }
    give(bytes);
    return false;
  }

  /** Gives back what was taken. */
  void give(long bytes) {
    heldBytes.addAndGet(-bytes);
  }
}

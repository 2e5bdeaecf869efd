package io.hdrsidecar.sidecar.memory;

/**
 * A {@link HeapShare} has no room for what somebody needs of it. Thrown where the need shows, deep
 * in what reads counts; nothing was allocated for it.
 */
public final class HeapFullException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long neededBytes;
  private final long shareBytes;

  HeapFullException(HeapBudget.Use use, long neededBytes, long shareBytes) {
    super(use + ": " + neededBytes + " bytes needed of " + shareBytes, null, false, false);
    this.neededBytes = neededBytes;
    this.shareBytes = shareBytes;
  }

  /** What the owner has and asked for, together. */
  public long neededBytes() {
    return neededBytes;
  }

  /** All that there is of the share. */
  public long shareBytes() {
    return shareBytes;
  }

  /** Whether at most one at a time could get it, and the next time it may be more than there is. */
  public boolean isForMost() {
    return neededBytes > shareBytes / 2;
  }

  /** Whether it would not help to wait until everybody else has given back what they hold. */
  public boolean isForGood() {
    return neededBytes > shareBytes;
  }
}

package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.memory.HeapClaim;

/**
 * The part of a claim that is for counts being added up. It grows to the most that is held at a
 * time and stays, as the memory is used again and again. One thread at a time.
 */
public final class CountsClaim {
  private final HeapClaim claim;
  private long most;

  /** A part of this claim. */
  public CountsClaim(HeapClaim claim) {
    this.claim = claim;
  }

  /**
   * So many bytes are held, or are going to be.
   *
   * @throws io.hdrsidecar.sidecar.memory.HeapFullException when there is no room for them
   */
  public void holds(long bytes) {
    if (bytes > most) {
      claim.grow(bytes - most);
      most = bytes;
    }
  }
}

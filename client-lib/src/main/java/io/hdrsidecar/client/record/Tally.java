package io.hdrsidecar.client.record;

/** What the stripes yielded in one harvest: how many values, between which buckets. */
final class Tally {
  private final long hotCount;
  private final byte[] places = new byte[Stripe.PAGE_SIZE];
  private long count;
  private int lowIndex;
  private int highIndex;
  private boolean contended;

  /**
   * @param hotCount values from which on a stripe of several threads is contended
   */
  Tally(long hotCount) {
    this.hotCount = hotCount;
  }

  void clear() {
    count = 0;
    lowIndex = Integer.MAX_VALUE;
    highIndex = -1;
    contended = false;
  }

  /** Scratch for the places of the non-zero counters in a page. */
  byte[] places() {
    return places;
  }

  /** Adds values whose buckets lie between these, both of them not empty. */
  void add(long added, int low, int high) {
    count += added;
    lowIndex = Math.min(lowIndex, low);
    highIndex = Math.max(highIndex, high);
  }

  void endOfStripe(long countOfStripe, int threads) {
    contended |= threads > 1 && countOfStripe >= hotCount;
  }

  long count() {
    return count;
  }

  /** Lowest non-zero bucket, while the count is not 0. */
  int lowIndex() {
    return lowIndex;
  }

  /** Highest non-zero bucket, while the count is not 0. */
  int highIndex() {
    return highIndex;
  }

  /** Whether threads got into each other's way. */
  boolean contended() {
    return contended;
  }
}

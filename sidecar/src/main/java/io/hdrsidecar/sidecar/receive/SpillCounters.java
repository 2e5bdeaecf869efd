package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.limits.SingleWriterCounter;

/**
 * What was picked up from the spill folder since start. Files are counted by the thread that picks
 * them up, intervals by the merge context; any thread reads.
 */
public final class SpillCounters {
  private final SingleWriterCounter mergedFiles = new SingleWriterCounter();
  private final SingleWriterCounter damagedFiles = new SingleWriterCounter();
  private final SingleWriterCounter failures = new SingleWriterCounter();
  private final SingleWriterCounter damagedRecords = new SingleWriterCounter();
  private final SingleWriterCounter mergedIntervals = new SingleWriterCounter();
  private final SingleWriterCounter duplicateIntervals = new SingleWriterCounter();
  private final SingleWriterCounter refusedIntervals = new SingleWriterCounter();
  private volatile long lastScanMillis;

  SpillCounters() {}

  void fileMerged() {
    mergedFiles.increment();
  }

  void fileDamaged(long records) {
    damagedFiles.increment();
    damagedRecords.add(records);
  }

  void failure() {
    failures.increment();
  }

  void scanned(long nowMillis) {
    lastScanMillis = nowMillis;
  }

  void merged() {
    mergedIntervals.increment();
  }

  void duplicate() {
    duplicateIntervals.increment();
  }

  void refused() {
    refusedIntervals.increment();
  }

  /** Files picked up whole. */
  public long mergedFiles() {
    return mergedFiles.get();
  }

  /** Files set aside, of which only a part could be read. */
  public long damagedFiles() {
    return damagedFiles.get();
  }

  /** Attempts to look into the folder, or to pick a file up, that failed. */
  public long failures() {
    return failures.get();
  }

  /**
   * When the folder was last looked into, and all that could be picked up was; milliseconds since
   * the epoch, 0 for never. A pickup that stands still, or finds the folder locked by somebody
   * else, shows here.
   */
  public long lastScanMillis() {
    return lastScanMillis;
  }

  /** Records of damaged files that could not be read, as far as it can be told. */
  public long damagedRecords() {
    return damagedRecords.get();
  }

  /** Intervals merged. */
  public long mergedIntervals() {
    return mergedIntervals.get();
  }

  /** Intervals that had been merged before, and were skipped. */
  public long duplicateIntervals() {
    return duplicateIntervals.get();
  }

  /** Intervals refused, as they would have been from a client. */
  public long refusedIntervals() {
    return refusedIntervals.get();
  }
}

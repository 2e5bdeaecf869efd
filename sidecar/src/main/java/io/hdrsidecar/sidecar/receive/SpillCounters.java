package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.List;
import java.util.Locale;

/**
 * The counters of all that was picked up from a folder since start. Files are counted by the thread
 * that picks them up, intervals by the merge context; any thread reads.
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

  private final String name;

  /** Of the spill files, or of the crash files. */
  SpillCounters(String name) {
    this.name = name;
  }

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

  /** Its metrics. */
  public List<Metric> metrics() {
    return List.of(
        files("merged", mergedFiles),
        files("damaged", damagedFiles),
        intervals("merged", mergedIntervals),
        intervals("duplicate", duplicateIntervals),
        intervals("refused", refusedIntervals),
        intervals("damaged", damagedRecords),
        Metric.counter(
            name + ".failures", "Failed attempts to pick up " + name + " files", failures::get),
        // A pickup that stands still, or finds the folder locked by somebody else, shows here.
        Metric.gauge(
            name + ".last.scan.timestamp.seconds",
            "When the " + name + " folder was last looked into to the end, 0 for never",
            () -> lastScanMillis / 1_000));
  }

  private Metric files(String result, SingleWriterCounter count) {
    return Metric.counter(
        name + ".files",
        capitalized() + " files of clients, by what came of them",
        count::get,
        "result",
        result);
  }

  private Metric intervals(String result, SingleWriterCounter count) {
    return Metric.counter(
        name + ".intervals",
        "Intervals in " + name + " files, by what came of them",
        count::get,
        "result",
        result);
  }

  private String capitalized() {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}

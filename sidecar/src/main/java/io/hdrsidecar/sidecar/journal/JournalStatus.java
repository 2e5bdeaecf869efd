package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.metric.Metric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * How the journal is doing.
 *
 * @param state whether it is written
 * @param reason why not, for people; empty while it is
 * @param since when the state began
 * @param bytesWritten bytes written since start
 * @param flushes flushes since start
 * @param failures failed attempts to write, since start
 * @param unwrittenRecords records acknowledged from memory that no file and no checkpoint has yet
 * @param lastRecord number of the last record appended
 * @param durableRecord every record up to this number is durable
 * @param queuedBytes bytes waiting to be written
 * @param files files in the directory
 * @param fileBytes their size together
 * @param lastCheckpoint when the last checkpoint was completed; the epoch for never
 * @param recovery what was found at start
 */
public record JournalStatus(
    State state,
    String reason,
    Instant since,
    long bytesWritten,
    long flushes,
    long failures,
    long unwrittenRecords,
    long lastRecord,
    long durableRecord,
    long queuedBytes,
    int files,
    long fileBytes,
    Instant lastCheckpoint,
    RecoveryReport recovery) {
  /** Whether the journal is written. */
  public enum State {
    /** Everything acknowledged is in the journal. */
    WRITING,
    /** Writing fails, or worked again and the checkpoint that closes the gap is not done. */
    MEMORY,
    /** Writing fails; nothing is acknowledged. */
    REFUSING
  }

  /** Whether clients can hand over intervals for good. */
  public boolean isReady() {
    return state != State.REFUSING;
  }

  /**
   * Its metrics.
   *
   * @param now how the journal is doing at the time of asking; any thread
   */
  static List<Metric> metrics(Supplier<JournalStatus> now) {
    List<Metric> metrics =
        new ArrayList<>(
            List.of(
                Metric.counter(
                    "journal.written.bytes",
                    "Bytes written to the journal",
                    () -> now.get().bytesWritten),
                Metric.counter(
                    "journal.flushes", "Flushes of the journal", () -> now.get().flushes),
                Metric.counter(
                    "journal.failures",
                    "Failed attempts to write the journal",
                    () -> now.get().failures),
                Metric.gauge(
                    "journal.unwritten.records",
                    "Records acknowledged that no file and no checkpoint has",
                    () -> now.get().unwrittenRecords),
                Metric.gauge(
                    "journal.lag.records",
                    "Records merged and not yet flushed",
                    () -> now.get().unflushedRecords()),
                Metric.gauge(
                    "journal.queued.bytes",
                    "Bytes waiting to be written",
                    () -> now.get().queuedBytes),
                Metric.gauge("journal.files", "Files of the journal", () -> now.get().files),
                Metric.gauge(
                    "journal.file.bytes",
                    "Size of the files of the journal",
                    () -> now.get().fileBytes),
                Metric.gauge(
                    "journal.last.checkpoint.timestamp.seconds",
                    "When the last checkpoint was completed, 0 for never",
                    () -> now.get().lastCheckpoint.getEpochSecond()),
                Metric.gauge(
                    "journal.damaged.records",
                    "Records unreadable at start",
                    () -> now.get().recovery.damaged()),
                Metric.gauge(
                    "journal.missing.records",
                    "Records not there at start",
                    () -> now.get().recovery.missing()),
                Metric.gauge(
                    "journal.torn.bytes",
                    "Bytes cut off from the ends of files at start, as they are no whole record",
                    () -> now.get().recovery.tornBytes()),
                Metric.gauge(
                    "journal.unrestored.values",
                    "Values that found no room at start in the counts since start; the journal has"
                        + " them",
                    () -> now.get().recovery.unrestoredValues())));
    for (State each : State.values()) {
      metrics.add(
          Metric.gauge(
              "journal.state",
              "1 for the state the journal is in",
              () -> now.get().state == each ? 1 : 0,
              "state",
              each.name().toLowerCase(Locale.ROOT)));
    }
    return metrics;
  }

  private long unflushedRecords() {
    return lastRecord - durableRecord;
  }
}

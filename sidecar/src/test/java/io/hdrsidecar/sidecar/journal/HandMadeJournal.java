package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.internal.journal.JournalFileWriter;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.journal.TextBuffer;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/** One file of a journal, with the records and totals that a test says. */
final class HandMadeJournal implements AutoCloseable {
  private static final InstanceId NO_SENDER = new InstanceId(0, 0);

  private final HistogramEncoder encoder = new HistogramEncoder();
  private final JournalEntry entry = new JournalEntry();
  private final Instant now;
  private final JournalFileWriter file;

  private HandMadeJournal(Path directory, String kind, Instant now, long firstRecord)
      throws IOException {
    this.now = now;
    this.file =
        JournalFileWriter.create(
            directory.resolve(kind + "-20231114T221320Z-" + firstRecord + ".hlog"),
            new TextBuffer(),
            now.toEpochMilli(),
            firstRecord);
  }

  /** Records of this number and above. */
  static HandMadeJournal intervals(Path directory, Instant now, long firstRecord)
      throws IOException {
    return new HandMadeJournal(directory, "intervals", now, firstRecord);
  }

  /** Totals that have all records below this number. */
  static HandMadeJournal checkpoint(Path directory, Instant now, long firstRecord)
      throws IOException {
    return new HandMadeJournal(directory, "checkpoint", now, firstRecord);
  }

  HandMadeJournal interval(long record, SeriesDefinition series, long... values) {
    entry.sequence = 0;
    fill(record, series, values);
    file.interval(entry, written(series), NO_SENDER);
    return this;
  }

  /** With all of these values, in so many intervals, the last of them this record. */
  HandMadeJournal total(long record, int intervals, SeriesDefinition series, long... values) {
    entry.sequence = intervals;
    fill(record, series, values);
    file.total(entry, written(series));
    return this;
  }

  HandMadeJournal seriesEnd(long record, SeriesDefinition series) {
    file.seriesEnd(record, written(series));
    return this;
  }

  /** The last line of a checkpoint. */
  HandMadeJournal end(long lastRecord) {
    file.end(lastRecord);
    return this;
  }

  private JournalSeries written(SeriesDefinition series) {
    return new JournalSeries(new SeriesText(series, now.minusSeconds(60)));
  }

  private void fill(long record, SeriesDefinition series, long... values) {
    PagedCounts counts = new PagedCounts(series.layout());
    ExactSum sum = new ExactSum();
    for (long value : values) {
      counts.add(series.layout().indexOf(value), 1);
      sum.add(value);
    }
    entry.record = record;
    entry.startMillis = now.toEpochMilli() - 1000;
    entry.endMillis = now.toEpochMilli();
    entry.sumMinMax.set(
        sum,
        /* exact= */ true,
        Arrays.stream(values).min().orElseThrow(),
        Arrays.stream(values).max().orElseThrow());
    entry.payload = encoder.encode(counts, series.highestTrackableValue(), 0);
  }

  @Override
  public void close() throws IOException {
    file.write();
    file.close();
    encoder.close();
  }
}

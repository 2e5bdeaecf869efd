package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One query's hold on the files of a journal. Files are added in the order of their records, and of
 * what two of them have, the first one's counts: a batch whose flush failed half-way was written
 * again to the next file. What can be read only in the second, as it is damaged in the first and
 * the first's index was made from it as it is, is the second's. One thread at a time.
 */
final class JournalPastReading implements PastReading {
  private static final RecordRanges NO_RECORDS = new RecordRanges();

  private final long fromMillis;
  private final long toMillis;
  private final RecordAdder adder = new RecordAdder();
  private final List<OpenJournalFile> files = new ArrayList<>();
  private final List<PastSeries> series = new ArrayList<>();

  /** Each once, however often the same is read. */
  private final Set<String> warnings = new LinkedHashSet<>();

  private RecordRanges records = new RecordRanges();
  private boolean closed;

  JournalPastReading(long fromMillis, long toMillis) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  void series(List<PastSeries> found) {
    series.addAll(found);
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  /** The next file: opens it if the range needs it. */
  void add(LogWithIndex file) {
    RecordRanges has = file.records();
    HistoryExtent extent = file.extent();
    boolean isNeeded = extent.fromMillis() < toMillis && extent.toMillis() >= fromMillis;
    if (isNeeded && has.size() > 0) {
      try {
        long last = has.lastOf(has.size() - 1);
        files.add(OpenJournalFile.open(file, records, last, adder));
      } catch (IOException e) {
        warnings.add(
            file.path().getFileName()
                + " of the journal cannot be read and is not in the answer: "
                + e);
        return;
      }
    }
    records = RecordRanges.of(records, has);
  }

  @Override
  public List<PastSeries> series() {
    return series;
  }

  @Override
  public boolean hasAll(long firstRecord, long lastRecordOfAll) {
    return records.containsAll(firstRecord, lastRecordOfAll);
  }

  @Override
  public List<PastInterval> intervals(
      PastSeries of, Map<BucketLayout, RecordRanges> except, int limit) {
    long hash = SeriesHash.of(of.key(), of.unit());
    List<PastInterval> found = new ArrayList<>();
    for (OpenJournalFile file : files) {
      try {
        for (IndexFile.Found each : file.find(hash)) {
          SeriesDefinition definition = each.definition().definition();
          if (definition.key().equals(of.key()) && definition.unit() == of.unit()) {
            RecordRanges inMemory = except.getOrDefault(definition.layout(), NO_RECORDS);
            add(file, each.lines().cursor(), inMemory, limit, found);
          }
        }
      } catch (IOException e) {
        warnings.add(
            "the index of "
                + file.path().getFileName()
                + " cannot be read, what that has is not in the answer: "
                + e.getMessage());
      }
    }
    return found;
  }

  private void add(
      OpenJournalFile file,
      LineList.Cursor line,
      RecordRanges inMemory,
      int limit,
      List<PastInterval> found) {
    while (found.size() <= limit && line.next()) {
      if (line.overlaps(fromMillis, toMillis)
          && file.has(line.record())
          && !inMemory.contains(line.record())) {
        found.add(new JournalInterval(file, line));
      }
    }
  }

  @Override
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      files.forEach(OpenJournalFile::close);
      adder.close();
    }
  }
}

package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Of one interval log, where the lines of each series stand and when their intervals were, in
 * memory: while the file is being written or scanned. One thread at a time.
 */
public final class IndexInMemory {
  private final Map<String, IndexedSeries> series = new LinkedHashMap<>();
  private final RecordRanges records = new RecordRanges();
  private HistoryExtent extent = HistoryExtent.EMPTY;
  private long lines;

  /**
   * Adds the line of an interval. Lines come in the order of the file.
   *
   * @param text says which series it is
   * @param offset where in the file its first byte is
   * @param length in the file, its comment and line ends included
   * @param record its number; in the order of the file, too
   * @param startMillis milliseconds since the epoch
   * @param endMillis likewise, not before the start
   */
  public void add(
      String text, long offset, long length, long record, long startMillis, long endMillis) {
    IndexedSeries of = series.get(text);
    if (of == null) {
      of = new IndexedSeries(text);
      series.put(text, of);
    }
    of.lines().add(offset, length, record, startMillis, endMillis);
    extent = extent.and(new HistoryExtent(startMillis, endMillis));
    addRecord(record);
    lines++;
  }

  /** Adds a record that is no interval: nothing is missing there. */
  public void addRecord(long record) {
    records.add(record, record);
  }

  /** From when to when there are intervals. */
  public HistoryExtent extent() {
    return extent;
  }

  /** The numbers of all records. */
  public RecordRanges records() {
    return records;
  }

  /** The highest number; 0 for none. */
  public long lastRecord() {
    return records.size() == 0 ? 0 : records.lastOf(records.size() - 1);
  }

  /** How many lines were added. */
  public long lines() {
    return lines;
  }

  int seriesCount() {
    return series.size();
  }

  Collection<IndexedSeries> series() {
    return series.values();
  }
}

package io.hdrsidecar.sidecar.files;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files in the place of a journal. Where the journal of a sidecar writes an interval down when it
 * is merged, this one notes where it stands already; so the store numbers the intervals as it does
 * with a journal, and a query takes each either from memory or from its file.
 *
 * <p>Filled by one thread; then, handed over as the store is, read by any.
 */
final class FilePast implements IntervalLog, PastSource {
  private final Map<SeriesKey, FileSeries> bySeries = new LinkedHashMap<>();
  private @Nullable LogFileBytes file;
  private long offset;
  private int length;
  private int records;
  private HistoryExtent extent = HistoryExtent.EMPTY;

  /** Where the interval stands that is merged next. */
  void at(LogFileBytes inFile, long histogramOffset, int histogramLength) {
    file = inFile;
    offset = histogramOffset;
    length = histogramLength;
  }

  @Override
  public long append(
      InstanceId sender,
      long sequence,
      Series series,
      DecodedHistogram histogram,
      IntervalCounts interval,
      long startMillis,
      long endMillis) {
    int record = Math.incrementExact(records);
    bySeries
        .computeIfAbsent(series.key(), key -> new FileSeries(key, series.unit()))
        .lane(requireNonNull(file, "file"), histogram.layout())
        .add(startMillis, endMillis, offset, length, record);
    records = record;
    extent = extent.and(new HistoryExtent(startMillis, endMillis));
    return record;
  }

  @Override
  public String name() {
    return "files";
  }

  /** All of it has been recorded. */
  @Override
  public boolean isLive() {
    return false;
  }

  @Override
  public HistoryExtent extent() {
    return extent;
  }

  @Override
  public PastReading open(long fromMillis, long toMillis) {
    return new FileReading(bySeries.values(), records, fromMillis, toMillis);
  }

  /** Series of files do not end. */
  @Override
  public long appendEnd(Series ended) {
    throw new IllegalStateException("series of files do not end: " + ended.key());
  }

  @Override
  public long lastRecord() {
    return records;
  }
}

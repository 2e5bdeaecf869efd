package io.hdrsidecar.sidecar.files;

import io.hdrsidecar.internal.hlog.Base64Histogram;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.RecordRanges;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the files have of one range of time. One thread at a time. */
final class FileReading implements PastReading {
  private final long fromMillis;
  private final long toMillis;
  private final long records;
  private final Map<SeriesKey, FileSeries> bySeries = new LinkedHashMap<>();
  private final Base64Histogram decoder =
      new Base64Histogram(LogStore.MAX_COUNTERS, new StreamInflater());
  private final DecodedHistogram histogram = new DecodedHistogram();
  private final IntervalCounts counts = new IntervalCounts();
  private byte[] text = new byte[4096];

  /**
   * Of a range.
   *
   * @param records how many intervals there are in all, of which the first has the number 1
   */
  FileReading(Collection<FileSeries> all, long records, long fromMillis, long toMillis) {
    this.records = records;
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
    for (FileSeries series : all) {
      if (series.lanes().stream().anyMatch(lane -> lane.overlaps(fromMillis, toMillis))) {
        bySeries.put(series.key(), series);
      }
    }
  }

  @Override
  public List<PastSeries> series() {
    return bySeries.values().stream().map(FileSeries::past).toList();
  }

  /** All have a place in a file. */
  @Override
  public boolean hasAll(long firstRecord, long lastRecord) {
    return firstRecord > 0 && lastRecord <= records;
  }

  @Override
  public List<PastInterval> intervals(
      PastSeries series, Map<BucketLayout, RecordRanges> except, int limit) {
    List<PastInterval> found = new ArrayList<>();
    FileSeries wanted = bySeries.get(series.key());
    if (wanted != null) {
      for (FileLane lane : wanted.lanes()) {
        RecordRanges inMemory = except.get(lane.layout());
        lane.addOverlapping(fromMillis, toMillis, inMemory, limit, this, found);
      }
    }
    return found;
  }

  /** Reads a line again and adds what it counted. */
  void add(FileLane lane, int index, IntervalSum sum) throws IOException {
    int length = lane.length(index);
    if (text.length < length) {
      text = new byte[Math.max(length, 2 * text.length)];
    }
    lane.file().read(lane.offset(index), text, length);
    try {
      decoder.read(text, 0, length, 0);
      decoder.decode(histogram);
    } catch (MalformedLogLineException e) {
      throw changed(lane, index, e);
    }
    if (!histogram.layout().equals(lane.layout())) {
      throw changed(lane, index, new IllegalStateException("another layout"));
    }
    counts.setWithoutSumMinMax(histogram);
    sum.add(histogram.layout(), counts);
  }

  private static IOException changed(FileLane lane, int index, Exception why) {
    return new IOException(
        lane.file().name()
            + ": the histogram at byte "
            + lane.offset(index)
            + " has changed since it was indexed; start again: "
            + why.getMessage(),
        why);
  }

  @Override
  public List<String> warnings() {
    return List.of();
  }

  @Override
  public void close() {
    decoder.close();
  }
}

package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.Seam;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Gathers references to the intervals of a range, of memory and journal each as {@link Seam} says.
 * Where the journal is finer than memory but has more than may be read, memory is taken, coarser
 * and whole.
 */
final class PastGathering {
  private final TimeRange range;
  private final PastReading reading;
  private final QueryLimits limits;
  private int gathered;

  /**
   * For one query.
   *
   * @param reading opened before anything is read of memory
   */
  PastGathering(TimeRange range, PastReading reading, QueryLimits limits) {
    this.range = range;
    this.reading = reading;
    this.limits = limits;
  }

  /** All intervals, series by series. */
  List<PastCounts.OfSeries> gather(Selection selection) throws ApiException {
    Map<SeriesKey, List<KeptInterval>> kept = new LinkedHashMap<>();
    long finest = 0;
    for (Series each : selection.series()) {
      List<KeptInterval> ofSeries = each.historyIntervals(range.startMillis(), range.endMillis());
      kept.put(each.key(), ofSeries);
      count(selection, ofSeries.size());
      for (KeptInterval interval : ofSeries) {
        finest += interval.merged();
      }
    }
    gathered = 0;
    return gather(selection, kept, finest > limits.maxIntervals());
  }

  private List<PastCounts.OfSeries> gather(
      Selection selection, Map<SeriesKey, List<KeptInterval>> kept, boolean coarse)
      throws ApiException {
    Map<SeriesKey, List<PastSeries>> past =
        selection.past().stream().collect(Collectors.groupingBy(PastSeries::key));
    List<PastCounts.OfSeries> all = new ArrayList<>();
    for (SeriesKey key : selection.keys()) {
      Seam seam = Seam.of(kept.getOrDefault(key, List.of()), reading, coarse);
      List<PastInterval> intervals = new ArrayList<>(seam.fromMemory());
      count(selection, intervals.size());
      for (PastSeries each : past.getOrDefault(key, List.of())) {
        List<PastInterval> more = reading.intervals(each, seam.inMemory(), left());
        count(selection, more.size());
        intervals.addAll(more);
      }
      all.add(new PastCounts.OfSeries(key, intervals));
    }
    return all;
  }

  private int left() {
    return limits.maxIntervals() - gathered;
  }

  private void count(Selection selection, int more) throws ApiException {
    if (more > left()) {
      throw ApiException.tooCostly(
          selection.parameter(),
          "more than "
              + limits.maxIntervals()
              + " intervals would have to be read (query.max-intervals); ask for a shorter range"
              + " or fewer series");
    }
    gathered += more;
  }
}

package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One of the sliding windows of the series that are chosen, at any time: what ended within its span
 * before. It is computed from the intervals, so that it is there for the past, too.
 */
final class GaugeReading {
  private final WindowSpec window;
  private final WindowReading reading;
  private final Map<Object, Integer> slots = new HashMap<>();
  private final Distribution counts = new Distribution();

  /**
   * Takes hold of the intervals.
   *
   * @param moreMillis by which the span is made longer
   */
  GaugeReading(
      SeriesChoice choice, WindowSpec window, long[] ends, long moreMillis, EvaluationScope scope)
      throws QueryException {
    this.window = window;
    Windows windows = new Windows(ends, window.span().toMillis() + moreMillis);
    this.reading = new WindowReading(choice.ofGauges(), windows, scope);
    reading.series().forEach(each -> slots.put(each.key(), slots.size()));
    reading.begin(slots.size(), (each, longest) -> slots.getOrDefault(each.key(), 0));
  }

  WindowSpec window() {
    return window;
  }

  /** Series that have this window. */
  List<ChosenSeries> series() {
    return reading.series();
  }

  void moveTo(int step, Annotations annotations) throws QueryException {
    reading.moveTo(step, annotations);
  }

  /** What the window holds of a series, good until the next call; empty when it is empty. */
  HistogramValue of(ChosenSeries series) {
    SlidingSum sum = reading.slot(slots.getOrDefault(series.key(), 0));
    reading.claimFor(sum, 0);
    sum.readInto(counts);
    return HistogramValue.of(counts, 1, series.unit(), null);
  }
}

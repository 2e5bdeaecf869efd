package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.reading.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes elements of what a series, or a group of them, has counted. */
final class SeriesForms {
  private SeriesForms() {}

  /** The elements of a distribution in one form; none for gauges. */
  static Element element(MetricLabels labels, ExposedForm form, HistogramValue value) {
    return switch (form) {
      case COUNT -> Element.number(labels, value.count(), true);
      case SUM -> Element.number(labels, value.sum(), true);
      default -> Element.histogram(labels, value);
    };
  }

  /** Distributions that are filled again at each step, by the divisors of what they hold. */
  static final class Reused {
    private final Map<Long, Distribution> byLane = new TreeMap<>();

    /** What lanes hold in a window. */
    List<HistogramValue.Part> parts(Map<Long, SlidingSum> lanes, boolean isRate, long length) {
      byLane.keySet().removeIf(lane -> lane != length && !lanes.containsKey(lane));
      List<HistogramValue.Part> parts = new ArrayList<>();
      lanes.forEach((lane, sum) -> parts.add(part(lane, sum, isRate)));
      if (parts.isEmpty()) {
        Distribution nothing = of(length);
        nothing.clear();
        parts.add(new HistogramValue.Part(nothing, isRate ? length / 1000.0 : 1));
      }
      return parts;
    }

    private HistogramValue.Part part(long lane, SlidingSum sum, boolean isRate) {
      Distribution counts = of(lane);
      sum.readInto(counts);
      return new HistogramValue.Part(counts, isRate ? lane / 1000.0 : 1);
    }

    private Distribution of(long lane) {
      return byLane.computeIfAbsent(lane, none -> new Distribution());
    }
  }
}

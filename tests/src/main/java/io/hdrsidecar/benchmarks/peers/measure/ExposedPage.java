package io.hdrsidecar.benchmarks.peers.measure;

import io.prometheus.metrics.expositionformats.generated.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** The metric of the load on one page, as any peer exposes it. */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
public final class ExposedPage {
  /** statsd_exporter leaves the name as it is; the others add the unit. */
  private static final Set<String> DISTRIBUTIONS = Set.of("peers", "peers_seconds");

  private static final String WINDOWS = "peers_window_seconds";
  private static final String MAXIMA = "peers_seconds_max";

  private final List<Metrics.MetricFamily> families = new ArrayList<>();

  /** Reads a page in protobuf. */
  public ExposedPage(byte[] page) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(page);
    while (in.available() > 0) {
      families.add(Metrics.MetricFamily.parseDelimitedFrom(in));
    }
  }

  /** Events counted, of all series together. */
  public long count() {
    long count = 0;
    for (Metrics.MetricFamily family : families) {
      if (DISTRIBUTIONS.contains(family.getName())) {
        for (Metrics.Metric metric : family.getMetricList()) {
          count +=
              metric.hasHistogram()
                  ? metric.getHistogram().getSampleCount()
                  : metric.getSummary().getSampleCount();
        }
      }
    }
    return count;
  }

  /** What Prometheus' {@code histogram_quantile} says of the native histogram of a series. */
  public OptionalDouble nativeQuantile(String series, double quantile) {
    for (Metrics.Metric metric : metrics(DISTRIBUTIONS, series)) {
      if (metric.hasHistogram() && metric.getHistogram().getPositiveSpanCount() > 0) {
        return OptionalDouble.of(NativeHistogram.of(metric.getHistogram()).quantile(quantile));
      }
    }
    return OptionalDouble.empty();
  }

  /** A gauge with a label {@code quantile}, over a sliding window: 1 is the maximum. */
  public OptionalDouble windowGauge(String series, double quantile) {
    for (Metrics.Metric metric : metrics(Set.of(WINDOWS), series)) {
      for (Metrics.LabelPair label : metric.getLabelList()) {
        if (label.getName().equals("quantile") && isNumber(label.getValue(), quantile)) {
          return OptionalDouble.of(
              metric.hasUntyped() ? metric.getUntyped().getValue() : metric.getGauge().getValue());
        }
      }
    }
    return OptionalDouble.empty();
  }

  /** A quantile of a summary, 1 being the gauge of the maximum beside it. */
  public OptionalDouble summaryQuantile(String series, double quantile) {
    if (quantile == 1) {
      return metrics(Set.of(MAXIMA), series).stream()
          .mapToDouble(metric -> metric.getGauge().getValue())
          .findFirst();
    }
    return metrics(DISTRIBUTIONS, series).stream()
        .flatMap(metric -> metric.getSummary().getQuantileList().stream())
        .filter(point -> point.getQuantile() == quantile)
        .mapToDouble(Metrics.Quantile::getValue)
        .findFirst();
  }

  private static boolean isNumber(String text, double number) {
    return Math.abs(Double.parseDouble(text) - number) < 1e-12;
  }

  private List<Metrics.Metric> metrics(Set<String> names, String series) {
    return families.stream()
        .filter(family -> names.contains(family.getName()))
        .flatMap(family -> family.getMetricList().stream())
        .filter(
            metric ->
                metric.getLabelList().stream()
                    .anyMatch(
                        label -> label.getName().equals("n") && label.getValue().equals(series)))
        .toList();
  }
}

package io.hdrsidecar.sidecar.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Metrics of the sidecar's own, read as a scrape reads them. */
public final class MetricValues {
  private MetricValues() {}

  /**
   * The only one of this name.
   *
   * @param label value of one of its labels, or empty if the name says all
   */
  public static double value(List<Metric> metrics, String name, String label) {
    List<Metric> found =
        metrics.stream()
            .filter(m -> m.name().equals(name))
            .filter(m -> label.isEmpty() || m.labels().contains(label))
            .toList();
    assertThat(found).as("%s %s", name, label).hasSize(1);
    return found.get(0).value().getAsDouble();
  }
}

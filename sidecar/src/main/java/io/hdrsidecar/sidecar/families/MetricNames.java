package io.hdrsidecar.sidecar.families;

import io.hdrsidecar.series.Unit;
import java.util.List;
import java.util.stream.Stream;

/**
 * The metric families in which a series appears: for {@code checkout} in nanoseconds {@code
 * checkout_seconds} and {@code checkout_window_seconds}. The base unit ends the name once, also
 * when the series' own name ends with it.
 *
 * @param cumulative family of the histogram since start
 * @param window family of the window's gauges
 */
public record MetricNames(String cumulative, String window) {
  /** In the name of every family of window gauges. */
  public static final String WINDOW = "_window";

  private static final List<String> HISTOGRAM_SUFFIXES =
      List.of("_bucket", "_count", "_sum", "_created");

  /** The names for a series' name and unit. */
  public static MetricNames of(String seriesName, Unit unit) {
    String suffix = unit.baseUnit().isEmpty() ? "" : "_" + unit.baseUnit();
    String stem =
        seriesName.endsWith(suffix)
            ? seriesName.substring(0, seriesName.length() - suffix.length())
            : seriesName;
    return new MetricNames(stem + suffix, stem + WINDOW + suffix);
  }

  /** Every name that a line of the exposition can have because of this series. */
  public Stream<String> all() {
    return Stream.concat(
        Stream.of(cumulative, window), HISTOGRAM_SUFFIXES.stream().map(cumulative::concat));
  }
}

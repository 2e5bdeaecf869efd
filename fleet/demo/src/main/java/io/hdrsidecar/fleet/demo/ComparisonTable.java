package io.hdrsidecar.fleet.demo;

import java.util.Locale;
import java.util.stream.Collectors;

/** Statistics of the fleet, each series with those of all raw values in the line below. */
final class ComparisonTable {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int NAME_WIDTH = 42;

  private final StringBuilder text = new StringBuilder();
  private boolean isEqual = true;

  ComparisonTable() {
    text.append(
        String.format(
            "%-" + NAME_WIDTH + "s %9s %8s %8s %8s %8s %8s%n",
            "series",
            "count",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms"));
  }

  /** Adds a series: what the fleet answers, and what was recorded. */
  void add(String series, FleetStatistics fleet, FleetStatistics raw) {
    boolean isSame = fleet.equals(raw);
    isEqual &= isSame;
    text.append(line(series, fleet));
    text.append(line(isSame ? "  raw values, equal" : "  raw values, NOT EQUAL", raw));
    if (!isSame) {
      text.append("  the fleet has " + raw.missing(fleet) + " too many, and lacks ");
      text.append(fleet.missing(raw)).append(System.lineSeparator());
    }
  }

  private static String line(String name, FleetStatistics statistics) {
    return String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s %,9d ", name, statistics.count())
        + statistics.percentiles().values().stream()
            .map(ComparisonTable::millis)
            .collect(Collectors.joining(" "))
        + " "
        + millis(statistics.max())
        + System.lineSeparator();
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%8.3f", nanos / NANOS_PER_MILLI);
  }

  /** Whether all statistics of all series are the same, and all buckets. */
  boolean isEqual() {
    return isEqual;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

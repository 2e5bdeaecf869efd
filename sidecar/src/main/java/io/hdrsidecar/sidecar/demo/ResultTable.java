package io.hdrsidecar.sidecar.demo;

import java.math.BigDecimal;
import java.util.Locale;

/** Both series side by side, in milliseconds. */
final class ResultTable {
  private static final double NANOS_PER_MILLI = 1e6;

  private final StringBuilder text = new StringBuilder();

  private ResultTable() {}

  /**
   * The table.
   *
   * @param callsMade what the load generator counted; the sidecar's counts must equal it
   */
  static String of(long callsMade, SeriesStatistics service, SeriesStatistics response) {
    ResultTable table = new ResultTable();
    table.row("", "service time", "response time");
    table.row("calls made", callsMade, callsMade);
    table.row("count", service.count(), response.count());
    table.row("min ms", millis(service.min()), millis(response.min()));
    table.row("mean ms", millis(service.mean()), millis(response.mean()));
    for (double percentile : service.percentiles().keySet()) {
      String name =
          "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString() + " ms";
      table.row(name, millis(service.at(percentile)), millis(response.at(percentile)));
    }
    table.row("max ms", millis(service.max()), millis(response.max()));
    return table.text.toString();
  }

  private void row(String name, Object service, Object response) {
    text.append(String.format(Locale.ROOT, "  %-12s %15s %15s%n", name, service, response));
  }

  private static String millis(long nanos) {
    return millis((double) nanos);
  }

  private static String millis(double nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / NANOS_PER_MILLI);
  }
}

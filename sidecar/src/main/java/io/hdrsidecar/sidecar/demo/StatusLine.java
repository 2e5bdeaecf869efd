package io.hdrsidecar.sidecar.demo;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** How the load is doing, a line a second. */
final class StatusLine {
  private Duration lastTime = Duration.ZERO;
  private long lastCalls;

  /**
   * The line for now; the rate is that since the line before.
   *
   * @param elapsed since the load began
   * @param callsMade until now
   * @param behind how late the load is
   * @param window name of the sliding window the statistics are of
   */
  String next(
      Duration elapsed,
      long callsMade,
      Duration behind,
      String window,
      Optional<SeriesStatistics> service,
      Optional<SeriesStatistics> response) {
    double seconds = Math.max(1, elapsed.minus(lastTime).toNanos()) / 1e9;
    long rate = Math.round((callsMade - lastCalls) / seconds);
    lastTime = elapsed;
    lastCalls = callsMade;
    return String.format(
        Locale.ROOT,
        "%5d s %8d calls/s   behind %10.1f ms   p99 over %s: service %s ms, response %s ms",
        Math.round(elapsed.toNanos() / 1e9),
        rate,
        behind.toNanos() / 1e6,
        window,
        p99Millis(service),
        p99Millis(response));
  }

  private static String p99Millis(Optional<SeriesStatistics> statistics) {
    return statistics
        .map(known -> String.format(Locale.ROOT, "%9.1f", known.at(99) / 1e6))
        .orElse("        -");
  }
}

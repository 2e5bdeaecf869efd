package io.hdrsidecar.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;

/**
 * A load.
 *
 * @param rate events a second, of all series together
 * @param series how many there are
 */
record Point(long rate, int series) {
  private static final List<Long> RATES = List.of(1_000L, 100_000L, 1_000_000L, 5_000_000L);
  private static final List<Integer> SERIES = List.of(1, 100, 1_000, 10_000);

  /** Series where rates are compared, and the rate where numbers of series are. */
  static final int USUAL_SERIES = 100;

  static final long USUAL_RATE = 100_000;

  /** All rates with all numbers of series. */
  static List<Point> all() {
    return across(RATES, SERIES);
  }

  /**
   * All of both if both are given; of one, with the usual of the other; else all rates with the
   * usual series and all series with the usual rate.
   */
  static List<Point> of(List<Long> rates, List<Integer> series) {
    if (!rates.isEmpty() || !series.isEmpty()) {
      return across(
          rates.isEmpty() ? List.of(USUAL_RATE) : rates,
          series.isEmpty() ? List.of(USUAL_SERIES) : series);
    }
    List<Point> points = across(RATES, List.of(USUAL_SERIES));
    for (Point point : across(List.of(USUAL_RATE), SERIES)) {
      if (!points.contains(point)) {
        points.add(point);
      }
    }
    return points;
  }

  private static List<Point> across(List<Long> rates, List<Integer> series) {
    List<Point> points = new ArrayList<>();
    for (int count : series) {
      for (long rate : rates) {
        points.add(new Point(rate, count));
      }
    }
    return points;
  }

  @Override
  public String toString() {
    return Numbers.grouped(rate) + " events/s, " + Numbers.grouped(series) + " series";
  }
}

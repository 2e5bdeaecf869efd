package io.hdrsidecar.benchmarks.peers;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The goals beside what was measured; printed, never asserted. */
final class Targets {
  private static final Point USUAL = new Point(1_000_000, Point.USUAL_SERIES);
  private static final Point FASTEST = new Point(5_000_000, Point.USUAL_SERIES);

  /** Figures so close are the same on a machine that others use, too. */
  private static final double MEASURED_ALIKE = 1.1;

  private final Results results;

  Targets(Results results) {
    this.results = results;
  }

  String text() {
    return "\n### Goals\n\n| goal | measured |\n|---|---|\n"
        + ratio(Peer.STATSD_UDP, 50)
        + ratio(Peer.STATSD_UNIX, 50)
        + ratio(Peer.OTLP, 4)
        + ratio(Peer.MICROMETER, 10)
        + row("0 events lost at 5M/s where statsd over UDP loses", losses())
        + row("cost per event falls with the rate (100 series)", costs())
        + row("cost per series is flat from 100 to 10,000 (100k events/s)", costsPerSeries());
  }

  private static String row(String goal, String measured) {
    return "| " + goal + " | " + (measured.isEmpty() ? "not measured" : measured) + " |\n";
  }

  private String ratio(Peer peer, int times) {
    String goal = peer.title() + " costs at least " + times + " times hdr-sidecar's at " + USUAL;
    Optional<Double> ratio = results.ratio(peer, USUAL);
    return row(
        goal,
        ratio
            .map(
                found ->
                    Numbers.short3(found)
                        + " times"
                        + perCounted(peer, found)
                        + (found >= times ? ": met" : ": **not met**"))
            .orElse(""));
  }

  /** What a peer lost cost it little, and so its ratio is too low: the same by what arrived. */
  private String perCounted(Peer peer, double ratio) {
    return results
        .find(peer, USUAL)
        .filter(result -> result.lost() > 0)
        .map(
            result ->
                ", and "
                    + Numbers.short3(ratio * result.recorded() / result.counted())
                    + " times for an event that was counted, as it lost "
                    + Numbers.short3(100.0 * result.lost() / result.recorded())
                    + " %")
        .orElse("");
  }

  private String losses() {
    return results.at(FASTEST).stream()
        .filter(result -> result.peer() != Peer.NONE)
        .map(
            result ->
                result.peer().title()
                    + ": "
                    + Numbers.grouped(result.lost())
                    + (result.keptPace()
                        ? ""
                        : " at " + Numbers.grouped(Math.round(result.reached())) + "/s"))
        .collect(Collectors.joining("; "));
  }

  /** Of the points in order; met if it falls from each to the next. */
  private String costs() {
    List<Point> points =
        results.points().stream()
            .filter(point -> point.series() == Point.USUAL_SERIES && ours(point) > 0)
            .sorted(Comparator.comparingLong(Point::rate))
            .toList();
    String list =
        points.stream()
            .map(point -> Numbers.short3(ours(point)) + " at " + Numbers.grouped(point.rate()))
            .collect(Collectors.joining(" → "));
    return list + verdict(points.stream().map(this::ours).toList(), 1);
  }

  /** What a series costs in a second, nearly all of it its interval; met if it does not rise. */
  private String costsPerSeries() {
    List<Point> points =
        results.points().stream()
            .filter(point -> point.rate() == Point.USUAL_RATE && point.series() >= 100)
            .filter(point -> ours(point) > 0)
            .sorted(Comparator.comparingInt(Point::series))
            .toList();
    String list =
        points.stream()
            .map(
                point ->
                    Numbers.short3(perSeries(point))
                        + " µs a second and series at "
                        + Numbers.grouped(point.series()))
            .collect(Collectors.joining(" → "));
    return list + verdict(points.stream().map(this::perSeries).toList(), MEASURED_ALIKE);
  }

  private double perSeries(Point point) {
    return ours(point) * point.rate() / point.series();
  }

  private double ours(Point point) {
    return results.cost(Peer.HDR_SIDECAR, point).orElse(0.0);
  }

  private static String verdict(List<Double> costs, double tolerance) {
    if (costs.size() < 2) {
      return "";
    }
    for (int i = 1; i < costs.size(); i++) {
      if (costs.get(i) > tolerance * costs.get(i - 1)) {
        return ": **not met**";
      }
    }
    return ": met";
  }
}

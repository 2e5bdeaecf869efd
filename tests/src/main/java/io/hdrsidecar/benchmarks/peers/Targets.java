package io.hdrsidecar.benchmarks.peers;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The goals beside what was measured; printed, never asserted. */
final class Targets {
  private static final Point USUAL = new Point(1_000_000, Point.USUAL_SERIES);
  private static final Point FASTEST = new Point(5_000_000, Point.USUAL_SERIES);

  private static final int FEW = 100;
  private static final int MANY = 1_000;
  private static final int MOST = 10_000;

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
        + row(
            "a further series costs no more from 1,000 to 10,000 than from 100 to 1,000 (100k"
                + " events/s)",
            costsPerSeries());
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
                        + withRest(peer)
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
                    + Numbers.short3(
                        results.ratioWithRest(peer, USUAL).orElse(ratio)
                            * result.recorded()
                            / result.counted())
                    + " times for an event that was counted, as it lost "
                    + Numbers.short3(100.0 * result.lost() / result.recorded())
                    + " %")
        .orElse("");
  }

  /** What a peer still had to do, it had not paid for in the time that was measured. */
  private String withRest(Peer peer) {
    return results
        .find(peer, USUAL)
        .flatMap(
            result ->
                results
                    .ratioWithRest(peer, USUAL)
                    .map(
                        ratio ->
                            ", "
                                + Numbers.short3(ratio)
                                + " times with what both used afterwards, as "
                                + Numbers.grouped(result.late())
                                + " of its events were late"))
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
    List<PointResult> ours =
        results.points().stream()
            .filter(point -> point.series() == Point.USUAL_SERIES)
            .sorted(Comparator.comparingLong(Point::rate))
            .flatMap(point -> results.find(Peer.HDR_SIDECAR, point).stream())
            .toList();
    String list =
        ours.stream()
            .map(
                result ->
                    results
                            .cost(result)
                            .map(Numbers::short3)
                            .orElse("< " + Numbers.short3(result.resolution()))
                        + " at "
                        + Numbers.grouped(result.point().rate()))
            .collect(Collectors.joining(" → "));
    List<Double> costs = ours.stream().flatMap(r -> results.cost(r).stream()).toList();
    if (costs.size() < 2) {
      return "";
    }
    return list + (costs.size() < ours.size() ? ": not measured" : verdict(falls(costs)));
  }

  private static boolean falls(List<Double> costs) {
    for (int i = 1; i < costs.size(); i++) {
      if (costs.get(i) > costs.get(i - 1)) {
        return false;
      }
    }
    return true;
  }

  /**
   * What a further series takes in a second, nearly all of it its interval: by the slope, as the
   * cost of the events and of the idle sidecar are shared by all.
   */
  private String costsPerSeries() {
    Optional<Double> few = slope(FEW, MANY);
    Optional<Double> many = slope(MANY, MOST);
    if (few.isEmpty() || many.isEmpty() || few.get() <= 0) {
      return "";
    }
    return Numbers.short3(1e6 * few.get())
        + " µs a second and further series up to 1,000 → "
        + Numbers.short3(1e6 * many.get())
        + " up to 10,000"
        + verdict(many.get() <= MEASURED_ALIKE * few.get());
  }

  /** Seconds of a processor each second for each series between. */
  private Optional<Double> slope(int from, int to) {
    return perSecond(from)
        .flatMap(less -> perSecond(to).map(more -> (more - less) / (double) (to - from)));
  }

  private Optional<Double> perSecond(int series) {
    return results
        .cost(Peer.HDR_SIDECAR, new Point(Point.USUAL_RATE, series))
        .map(cost -> cost * Point.USUAL_RATE / 1e6);
  }

  private static String verdict(boolean met) {
    return met ? ": met" : ": **not met**";
  }
}

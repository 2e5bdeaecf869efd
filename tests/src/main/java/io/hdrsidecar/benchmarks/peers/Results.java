package io.hdrsidecar.benchmarks.peers;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * All results of a run, to be looked up and held against each other. Of a peer that was measured
 * more than once at a point, that with the median cost stands for all.
 */
record Results(List<PointResult> all) {
  List<Point> points() {
    return all.stream().map(PointResult::point).distinct().toList();
  }

  List<Peer> peers() {
    return all.stream().map(PointResult::peer).distinct().sorted().toList();
  }

  /** Whether all peers were measured at all points that are usual: what the plots are of. */
  boolean isWhole() {
    List<Point> usual = Point.of(List.of(), List.of());
    return EnumSet.allOf(Peer.class).stream()
        .allMatch(peer -> usual.stream().allMatch(point -> find(peer, point).isPresent()));
  }

  /** One of each peer. */
  List<PointResult> at(Point point) {
    return peers().stream().flatMap(peer -> find(peer, point).stream()).toList();
  }

  Optional<PointResult> find(Peer peer, Point point) {
    List<PointResult> runs =
        runs(peer, point).stream()
            .sorted(Comparator.comparingDouble(r -> r.applicationCost() + r.besideCost()))
            .toList();
    return runs.isEmpty() ? Optional.empty() : Optional.of(runs.get((runs.size() - 1) / 2));
  }

  /** Each time the peer was measured there. */
  List<PointResult> runs(Peer peer, Point point) {
    return all.stream()
        .filter(result -> result.peer() == peer && result.point().equals(point))
        .toList();
  }

  /** The application's cost without that of the loop. */
  Optional<Double> lessLoop(PointResult result) {
    return find(Peer.NONE, result.point())
        .map(loop -> result.applicationCost() - loop.applicationCost());
  }

  /**
   * Application and process beside, without the loop, as it was read: it may be negative. Nothing
   * when there was no event.
   */
  Optional<Double> together(PointResult result) {
    return find(Peer.NONE, result.point()).map(result::cost).filter(Double::isFinite);
  }

  /** The same where it can be told from nothing; what is below that is in no ratio and no plot. */
  Optional<Double> cost(PointResult result) {
    return together(result).filter(cost -> cost >= result.resolution());
  }

  Optional<Double> cost(Peer peer, Point point) {
    return find(peer, point).flatMap(this::cost);
  }

  /** Least and most of {@link #together} when there was more than one run; else nothing. */
  Optional<double[]> range(PointResult result) {
    double[] costs =
        runs(result.peer(), result.point()).stream()
            .flatMap(run -> together(run).stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    return costs.length < 2
        ? Optional.empty()
        : Optional.of(new double[] {costs[0], costs[costs.length - 1]});
  }

  /** Cost beside that of hdr-sidecar at the same point. */
  Optional<Double> ratio(PointResult result) {
    return ratio(result.peer(), result.point());
  }

  /** The same with what both used afterwards; only of a peer that was behind. */
  Optional<Double> ratioWithRest(Peer peer, Point point) {
    return find(peer, point)
        .filter(PointResult::isBehind)
        .flatMap(theirs -> cost(theirs).map(cost -> cost + theirs.restCost()))
        .flatMap(
            theirs ->
                find(Peer.HDR_SIDECAR, point)
                    .flatMap(ours -> cost(ours).map(cost -> cost + ours.restCost()))
                    .map(ours -> theirs / ours));
  }

  Optional<Double> ratio(Peer peer, Point point) {
    return cost(peer, point)
        .flatMap(cost -> cost(Peer.HDR_SIDECAR, point).map(ours -> cost / ours));
  }
}

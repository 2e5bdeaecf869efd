package io.hdrsidecar.benchmarks.peers;

import java.util.List;
import java.util.Optional;

/** All results of a run, to be looked up and held against each other. */
record Results(List<PointResult> all) {
  List<Point> points() {
    return all.stream().map(PointResult::point).distinct().toList();
  }

  List<Peer> peers() {
    return all.stream().map(PointResult::peer).distinct().sorted().toList();
  }

  List<PointResult> at(Point point) {
    return all.stream().filter(result -> result.point().equals(point)).toList();
  }

  Optional<PointResult> find(Peer peer, Point point) {
    return at(point).stream().filter(result -> result.peer() == peer).findFirst();
  }

  /** The application's cost without that of the loop. */
  Optional<Double> lessLoop(PointResult result) {
    return find(Peer.NONE, result.point())
        .map(loop -> result.applicationCost() - loop.applicationCost());
  }

  /**
   * Application and process beside, without the loop; at least what the kernel tells apart, since
   * both are rounded. Nothing when there was no event.
   */
  Optional<Double> cost(PointResult result) {
    return find(Peer.NONE, result.point())
        .map(loop -> Math.max(result.cost(loop), result.resolution()))
        .filter(Double::isFinite);
  }

  Optional<Double> cost(Peer peer, Point point) {
    return find(peer, point).flatMap(this::cost);
  }

  /** Cost beside that of hdr-sidecar at the same point. */
  Optional<Double> ratio(PointResult result) {
    return ratio(result.peer(), result.point());
  }

  Optional<Double> ratio(Peer peer, Point point) {
    return cost(peer, point)
        .flatMap(cost -> cost(Peer.HDR_SIDECAR, point).map(ours -> cost / ours));
  }
}

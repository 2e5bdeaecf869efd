package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;

/** Counts points that are not kept, and gathers what their sender is told. One thread at a time. */
final class Rejections {
  private final OtlpCounters counters;
  private final OtlpLog log;
  private final boolean tellsNotKept;
  private long rejected;
  private String firstProblem = "";

  /**
   * None yet.
   *
   * @param tellsNotKept whether senders are told of points of kinds that are not kept
   */
  Rejections(OtlpCounters counters, OtlpLog log, boolean tellsNotKept) {
    this.counters = counters;
    this.log = log;
    this.tellsNotKept = tellsNotKept;
  }

  /** Another request begins. */
  void begin() {
    rejected = 0;
    firstProblem = "";
  }

  /** What the sender is told. */
  Outcome outcome() {
    return new Outcome(rejected, firstProblem);
  }

  /** Points that were not looked at. */
  void notKept(NotKeptPoint reason, String metric, String problem, long points) {
    counters.points(points);
    reject(reason, metric, problem, points);
  }

  /** Points that were looked at. */
  void reject(NotKeptPoint reason, String metric, String problem, long points) {
    if (points == 0) {
      return;
    }
    counters.notKept(reason, points);
    boolean isOtherKind =
        reason == NotKeptPoint.SUM
            || reason == NotKeptPoint.GAUGE
            || reason == NotKeptPoint.SUMMARY;
    if (reason.isRejected() && (tellsNotKept || !isOtherKind)) {
      rejected += points;
      if (firstProblem.isEmpty()) {
        firstProblem = reason.label() + ": metric " + shown(metric) + ": " + problem;
      }
    }
    if (reason.isRejected() && !isOtherKind) {
      log.notKept(reason.label(), "metric " + shown(metric) + ": " + problem, points);
    }
  }

  private static String shown(String metric) {
    return metric.length() <= 200 ? metric : metric.substring(0, 200) + "...";
  }
}

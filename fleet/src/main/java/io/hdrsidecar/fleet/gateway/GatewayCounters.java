package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RejectCounters;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What the gateway counts. Each figure has one writer, unless it is atomic; any thread reads. */
final class GatewayCounters {
  /** How long Kafka may leave a record unacknowledged before something is wrong. */
  static final long PATIENCE_NANOS = 10_000_000_000L;

  private final SingleWriterCounter received = new SingleWriterCounter();
  private final SingleWriterCounter values = new SingleWriterCounter();
  private final SingleWriterCounter acknowledged = new SingleWriterCounter();
  private final RejectCounters rejected = new RejectCounters();
  private final AtomicLong described = new AtomicLong();
  private final AtomicLong notDescribed = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong notOpened = new AtomicLong();
  private volatile boolean producing;
  private volatile int waiting;
  private volatile long oldestNanos;

  void received(long intervalValues) {
    received.increment();
    values.add(intervalValues);
  }

  void acknowledged(long records) {
    acknowledged.add(records);
  }

  void rejected(RejectReason reason) {
    rejected.count(reason);
  }

  RejectCounters rejected() {
    return rejected;
  }

  void described(boolean done) {
    (done ? described : notDescribed).incrementAndGet();
  }

  void failed() {
    failures.incrementAndGet();
  }

  void notOpened() {
    notOpened.incrementAndGet();
  }

  void producing(boolean isProducing) {
    producing = isProducing;
  }

  /** What waits for Kafka now, and since when the oldest of it does. */
  void waiting(int records, long sinceNanos) {
    oldestNanos = sinceNanos;
    waiting = records;
  }

  /** For how long the oldest record has waited. */
  long lagNanos() {
    long since = oldestNanos;
    return waiting == 0 ? 0 : System.nanoTime() - since;
  }

  /** Why clients had better go to another gateway; empty if they need not. */
  String trouble() {
    if (!producing) {
      return "Kafka refuses records, or its topics are not those of the fleet";
    }
    return lagNanos() > PATIENCE_NANOS
        ? "Kafka has not acknowledged for " + lagNanos() / 1_000_000_000 + " s"
        : "";
  }

  List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(
        Metric.counter(
            "gateway.intervals", "Intervals received and handed to Kafka", received::get));
    metrics.add(
        Metric.counter(
            "gateway.values", "Values in intervals received and handed to Kafka", values::get));
    metrics.add(
        Metric.counter(
            "gateway.acknowledged.intervals", "Intervals that Kafka has", acknowledged::get));
    metrics.add(
        Metric.gauge(
            "gateway.waiting.intervals", "Intervals that Kafka does not have yet", () -> waiting));
    metrics.add(
        Metric.seconds(
            "gateway.lag.seconds",
            "Age of the oldest interval that Kafka does not have yet",
            this::lagNanos));
    metrics.add(
        Metric.gauge(
            "gateway.producing", "1 while records are handed to Kafka", () -> producing ? 1 : 0));
    metrics.add(
        Metric.counter(
            "gateway.produce.failures",
            "How often Kafka refused a record for good, so that all connections were ended",
            failures::get));
    metrics.add(
        Metric.counter(
            "gateway.open.failures",
            "How often a gateway could not begin to produce again after Kafka had refused a record",
            notOpened::get));
    metrics.add(
        Metric.counter("gateway.descriptions", "Series described on the topic", described::get));
    metrics.add(
        Metric.counter(
            "gateway.description.failures",
            "Descriptions of series that Kafka refused, or for which there was no memory",
            notDescribed::get));
    for (RejectReason reason : RejectReason.values()) {
      metrics.add(
          Metric.counter(
              "rejected",
              "Frames, series and intervals refused, by reason",
              () -> rejected.get(reason),
              "reason",
              reason.label()));
    }
    return metrics;
  }
}

package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What is shown of handing on. */
final class UpstreamMetrics {
  /** Nobody's refusal: there was no memory here. */
  static final String NO_MEMORY = "no_memory";

  /** Somebody else has used the numbers of this sidecar. */
  private static final String NUMBERS_TAKEN = "numbers_taken";

  /** What stood in an outbox that was damaged. */
  static final String DAMAGED = "damaged_outbox";

  /** Counts of buckets that no frame can hold. */
  static final String FOREIGN_BUCKETS = "foreign_buckets";

  private static final String OTHER = "other";

  private static final List<String> REASONS =
      Stream.concat(
              Stream.of(
                      RejectReason.SERIES_CONFLICT,
                      RejectReason.SERIES_LIMIT,
                      RejectReason.MEMORY_LIMIT,
                      RejectReason.CONFIGURATION_LIMIT,
                      RejectReason.BAD_SERIES,
                      RejectReason.UNKNOWN_SERIES,
                      RejectReason.COUNT_OVERFLOW,
                      RejectReason.FRAME_TOO_LARGE)
                  .map(RejectReason::label),
              Stream.of(NO_MEMORY, NUMBERS_TAKEN, DAMAGED, FOREIGN_BUCKETS))
          .toList();

  private UpstreamMetrics() {}

  static List<Metric> of(Supplier<UpstreamStatus> now) {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(
        Metric.gauge(
            "upstream.connected",
            "1 while the upstream takes what is handed on",
            () -> now.get().connected() ? 1 : 0));
    metrics.add(
        Metric.gauge(
            "upstream.refused.loop",
            "1 while nothing is handed on, as it would come back here",
            () -> now.get().problem().isEmpty() ? 0 : 1));
    metrics.add(
        Metric.gauge(
            "upstream.waiting.values",
            "Values merged here that the upstream has not acknowledged",
            () -> now.get().waitingValues()));
    metrics.add(
        Metric.gauge(
            "upstream.lag.seconds",
            "Age of the oldest value that the upstream has not acknowledged, 0 for none",
            () -> now.get().lagSeconds()));
    metrics.add(
        counter(
            "upstream.acknowledged.intervals",
            "Intervals that the upstream has acknowledged",
            ClientFigure.ACKNOWLEDGED_INTERVALS,
            now));
    metrics.add(
        counter(
            "upstream.acknowledged.values",
            "Values in the intervals that the upstream has acknowledged",
            ClientFigure.ACKNOWLEDGED_VALUES,
            now));
    metrics.add(
        counter(
            "upstream.resent.intervals",
            "Intervals sent again after a reconnect",
            ClientFigure.RESENT_INTERVALS,
            now));
    metrics.add(
        counter(
            "upstream.joined.intervals",
            "Intervals added to one of their series that waited for the upstream",
            ClientFigure.JOINED_INTERVALS,
            now));
    metrics.add(
        counter(
            "upstream.reconnects",
            "Connections with the upstream after the first",
            ClientFigure.RECONNECTS,
            now));
    metrics.add(
        Metric.counter(
            "upstream.overflowed.values",
            "Values handed on in overflow series, as memory was short",
            () -> now.get().foldedValues()));
    metrics.add(
        Metric.counter(
            "upstream.outbox.failures",
            "Failed attempts to write down what is to be handed on",
            () -> now.get().outboxFailures()));
    metrics.add(
        Metric.gauge(
            "upstream.outbox.bytes",
            "Size of the file with what is on its way",
            () -> now.get().outboxBytes()));
    metrics.add(
        Metric.gauge(
            "upstream.held.bytes",
            "Memory of what is to be handed on",
            () -> now.get().heldBytes()));
    metrics.add(
        Metric.gauge(
            "upstream.missing.records",
            "Records that were to be handed on and that the journal no longer had at the start",
            () -> now.get().missingRecords()));
    for (String reason : REASONS) {
      metrics.add(lost(reason, () -> now.get().lostValues().getOrDefault(reason, 0L)));
    }
    metrics.add(lost(OTHER, () -> others(now.get())));
    return metrics;
  }

  private static Metric counter(
      String name, String help, ClientFigure figure, Supplier<UpstreamStatus> now) {
    return Metric.counter(name, help, () -> now.get().of(figure));
  }

  private static Metric lost(String reason, LongSupplier value) {
    return Metric.counter(
        "upstream.lost.values",
        "Values that the upstream will never have",
        value,
        "reason",
        reason);
  }

  private static long others(UpstreamStatus now) {
    Set<String> named = Set.copyOf(REASONS);
    return now.lostValues().entrySet().stream()
        .filter(entry -> !named.contains(entry.getKey()))
        .mapToLong(entry -> entry.getValue())
        .sum();
  }
}

package io.hdrsidecar.fleet.node;

import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a node counts. Any thread. */
final class NodeCounters {
  /** Why a record was not merged. */
  enum Skip {
    /** No key, value or header of a gateway. */
    MALFORMED_RECORD,
    /** The value is no interval, or its payload no histogram within the limits. */
    MALFORMED_INTERVAL,
    /** Payload, figures and times do not agree. */
    MISMATCH,
    /** The series has no room for this layout, or so many values. */
    NO_ROOM;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final LongAdder intervals = new LongAdder();
  private final LongAdder values = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder missing = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder stepsLeftOut = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder endedSeries = new LongAdder();
  private final LongAdder leftTransactions = new LongAdder();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final AtomicLong partitions = new AtomicLong();
  private final Map<Skip, LongAdder> skipped = new EnumMap<>(Skip.class);

  NodeCounters() {
    for (Skip skip : Skip.values()) {
      skipped.put(skip, new LongAdder());
    }
  }

  void merged(long ofValues, boolean isLate) {
    intervals.increment();
    values.add(ofValues);
    if (isLate) {
      late.increment();
    }
  }

  void duplicate() {
    duplicates.increment();
  }

  void missing(long records) {
    missing.add(records);
  }

  void stepLeftOut() {
    stepsLeftOut.increment();
  }

  void skip(Skip why) {
    LongAdder counter = skipped.get(why);
    if (counter != null) {
      counter.increment();
    }
  }

  void committed(long series) {
    commits.increment();
    endedSeries.add(series);
  }

  void leftTransactionEnded() {
    leftTransactions.increment();
  }

  void pending(long bytes) {
    pendingBytes.addAndGet(bytes);
  }

  void partition(int more) {
    partitions.addAndGet(more);
  }

  long partitions() {
    return partitions.get();
  }

  long intervals() {
    return intervals.sum();
  }

  long duplicates() {
    return duplicates.sum();
  }

  long missing() {
    return missing.sum();
  }

  long late() {
    return late.sum();
  }

  long stepsLeftOut() {
    return stepsLeftOut.sum();
  }

  long leftTransactionsEnded() {
    return leftTransactions.sum();
  }

  long skipped(Skip why) {
    LongAdder counter = skipped.get(why);
    return counter == null ? 0 : counter.sum();
  }

  /** For the metrics of the process. */
  List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(
        Metric.counter(
            "fleet.intervals",
            "Intervals read from the topic and added, before their commit",
            intervals::sum));
    metrics.add(
        Metric.counter(
            "fleet.values",
            "Values in intervals read from the topic and added, before their commit",
            values::sum));
    metrics.add(
        Metric.counter(
            "fleet.duplicate.intervals",
            "Intervals skipped, as they were merged before",
            duplicates::sum));
    metrics.add(
        Metric.counter(
            "fleet.late.intervals",
            "Intervals that came later than node.late-after; they are counted like all others",
            late::sum));
    metrics.add(
        Metric.counter(
            "fleet.left.out.steps",
            "Steps not kept, as there is no memory for so many series; totals have their counts",
            stepsLeftOut::sum));
    for (Skip skip : Skip.values()) {
      metrics.add(
          Metric.counter(
              "fleet.skipped.records",
              "Records of the topics that cannot be merged",
              () -> skipped(skip),
              "reason",
              skip.label()));
    }
    metrics.add(
        Metric.counter(
            "fleet.missing.records",
            "Records of intervals that the topic had no more when a node came to read them",
            missing::sum));
    metrics.add(
        Metric.counter(
            "fleet.commits", "Commits of a partition that had something to write", commits::sum));
    metrics.add(
        Metric.counter(
            "fleet.ended.series", "Series that ended, as no intervals came", endedSeries::sum));
    metrics.add(
        Metric.counter(
            "fleet.left.transactions.ended",
            "Transactions ended here that nodes had left open, as they died in a commit",
            leftTransactions::sum));
    metrics.add(
        Metric.gauge(
            "fleet.pending.bytes",
            "Memory of what is merged and not committed",
            pendingBytes::get));
    metrics.add(
        Metric.gauge("fleet.partitions", "Partitions that this node merges", partitions::get));
    return metrics;
  }
}

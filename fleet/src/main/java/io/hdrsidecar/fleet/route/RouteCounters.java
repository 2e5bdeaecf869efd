package io.hdrsidecar.fleet.route;

import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What is counted of nodes that ask each other. Any thread. */
public final class RouteCounters {
  /** Why what others sent could not be used. */
  enum Failure {
    /** No connection, or it was cut. */
    UNREACHABLE,
    /** It took longer than {@code node.peer-timeout}. */
    TIMEOUT,
    /** Another answer than 200, such as 401 for a wrong token. */
    REFUSED,
    /** What came is no answer. */
    MALFORMED,
    /** There is no memory for what came. */
    TOO_MUCH,
    /** Partitions were missing, or on two nodes. */
    PARTITIONS;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final LongAdder answers = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder hidden = new LongAdder();
  private final Map<Failure, LongAdder> failures = new EnumMap<>(Failure.class);

  /** Nothing yet. */
  public RouteCounters() {
    for (Failure failure : Failure.values()) {
      failures.put(failure, new LongAdder());
    }
  }

  void answered(long ofBytes) {
    answers.increment();
    bytes.add(ofBytes);
  }

  void failed(Failure why) {
    LongAdder counter = failures.get(why);
    if (counter != null) {
      counter.increment();
    }
  }

  void hid(long series) {
    hidden.add(series);
  }

  long failures(Failure why) {
    LongAdder counter = failures.get(why);
    return counter == null ? 0 : counter.sum();
  }

  /** For the metrics of the process. */
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(
        Metric.counter(
            "fleet.peer.answers", "Answers that other nodes gave this one", answers::sum));
    metrics.add(
        Metric.counter(
            "fleet.peer.bytes", "Bytes of answers that other nodes gave this one", bytes::sum));
    metrics.add(
        Metric.counter(
            "fleet.peer.hidden.series",
            "Series of other nodes left out of answers, as another has their name and labels, or"
                + " their name another unit",
            hidden::sum));
    for (Failure failure : Failure.values()) {
      metrics.add(
          Metric.counter(
              "fleet.peer.failures",
              "Times that a question could not be answered whole with what other nodes sent",
              () -> failures(failure),
              "reason",
              failure.label()));
    }
    return metrics;
  }
}

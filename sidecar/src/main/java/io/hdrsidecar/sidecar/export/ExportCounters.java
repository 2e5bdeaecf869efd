package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import io.hdrsidecar.sidecar.limits.EnumCounters;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What was pushed, and what became of it. The thread of the export counts, any thread reads. */
final class ExportCounters {
  private final EnumCounters<Result> requests = new EnumCounters<>(Result.class);
  private final SingleWriterCounter sentBytes = new SingleWriterCounter();
  private final SingleWriterCounter resent = new SingleWriterCounter();
  private final SingleWriterCounter points = new SingleWriterCounter();
  private final SingleWriterCounter rejected = new SingleWriterCounter();
  private final SingleWriterCounter values = new SingleWriterCounter();
  private final SingleWriterCounter lost = new SingleWriterCounter();

  /** A request was sent, or could not be. */
  void request(ExportRequest request, Result result) {
    requests.of(result).increment();
    if (result != Result.UNREACHABLE) {
      sentBytes.add(request.body().length);
    }
  }

  /** One that may have arrived is sent again. */
  void resent() {
    resent.increment();
  }

  /** A request has arrived, but for so many points, as the receiver says: no more than it has. */
  void arrived(ExportRequest request, long rejectedPoints) {
    int sent = request.streams().size();
    long less = Math.min(rejectedPoints, sent);
    rejected.add(less);
    points.add(sent - less);
  }

  /** The receiver has so many values more. */
  void delivered(long more) {
    values.add(more);
  }

  /** So many values ended with their series before they arrived. */
  void lost(long count) {
    lost.add(count);
  }

  /**
   * All of them.
   *
   * @param intervalNanos between two rounds
   * @param ageNanos since everything was last delivered
   * @param left series that are left out, as memory is short
   */
  List<Metric> metrics(long intervalNanos, LongSupplier ageNanos, LongSupplier left) {
    List<Metric> all = new ArrayList<>();
    requests.forEach(
        (result, counter) ->
            all.add(
                Metric.counter(
                    "export.requests",
                    "Requests that were pushed, by what came of them",
                    counter,
                    "result",
                    result.label())));
    all.add(
        Metric.counter(
            "export.sent.bytes", "Bytes of requests that were pushed, as sent", sentBytes::get));
    all.add(
        Metric.counter(
            "export.resent.requests",
            "Requests that were sent again though they may have arrived",
            resent::get));
    all.add(Metric.counter("export.points", "Data points that arrived", points::get));
    all.add(
        Metric.counter(
            "export.rejected.points",
            "Data points that the receiver rejected in requests that it took",
            rejected::get));
    all.add(
        Metric.counter("export.values", "Values in points of requests that arrived", values::get));
    all.add(
        Metric.counter(
            "export.lost.values",
            "Values that the receiver will never have",
            lost::get,
            "reason",
            "series_ended"));
    all.add(
        Metric.seconds(
            "export.age.seconds",
            "Time since everything was pushed last; since the start before that",
            ageNanos));
    all.add(
        Metric.seconds(
            "export.interval.seconds", "How often everything is pushed", () -> intervalNanos));
    all.add(
        Metric.gauge(
            "export.left.series",
            "Series that are not pushed, as there is no memory for them",
            left));
    return all;
  }
}

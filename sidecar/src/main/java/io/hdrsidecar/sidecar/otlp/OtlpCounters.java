package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.EnumCounters;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Reset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * What came by OTLP, and what became of it. The event loop of the server counts requests and what
 * they bring, the worker all else. Any thread reads.
 */
final class OtlpCounters {
  /** What a request came to; the name in lower case is the value of the {@code result} label. */
  enum Result {
    TAKEN,
    /** Some points were rejected, and the sender was told. */
    PARTLY_TAKEN,
    BAD,
    TOO_LARGE,
    UNSUPPORTED,
    UNAUTHORIZED,
    /** There was no room; the sender was told to come again. */
    FULL,
    FAILED
  }

  private final EnumCounters<Result> requests = new EnumCounters<>(Result.class);
  private final EnumCounters<NotKeptPoint> notKept = new EnumCounters<>(NotKeptPoint.class);
  private final EnumCounters<RejectReason> lost = new EnumCounters<>(RejectReason.class);
  private final EnumCounters<Reset> resets = new EnumCounters<>(Reset.class);
  private final SingleWriterCounter received = new SingleWriterCounter();
  private final SingleWriterCounter points = new SingleWriterCounter();
  private final SingleWriterCounter values = new SingleWriterCounter();
  private final SingleWriterCounter negative = new SingleWriterCounter();
  private final SingleWriterCounter unknownStart = new SingleWriterCounter();
  private final SingleWriterCounter rounded = new SingleWriterCounter();

  /** A request was answered. Event loop. */
  void request(Result result) {
    requests.of(result).increment();
  }

  /** A body of so many bytes has come. Event loop. */
  void received(long bytes) {
    received.add(bytes);
  }

  /** So many data points were looked at. */
  void points(long more) {
    points.add(more);
  }

  /** So many of them were not kept. */
  void notKept(NotKeptPoint reason, long more) {
    notKept.of(reason).add(more);
  }

  /** So many values are in series now. */
  void merged(OtlpInterval interval) {
    values.add(interval.total());
    negative.add(interval.negative());
    if (interval.isRounded()) {
      rounded.increment();
    }
  }

  /** The store has refused so many values. */
  void lost(RejectReason reason, long count) {
    lost.of(reason).add(count);
  }

  /** A stream began anew. */
  void reset(Reset how) {
    resets.of(how).increment();
  }

  /** So many values were counted before their stream was known here. */
  void unknownStart(long count) {
    unknownStart.add(count);
  }

  /**
   * All of them.
   *
   * @param streams how many cumulative streams are known at the moment
   * @param plain how many counters and gauges are shown
   */
  List<Metric> metrics(LongSupplier streams, LongSupplier plain) {
    List<Metric> all = new ArrayList<>();
    requests.forEach(
        (result, counter) ->
            all.add(
                Metric.counter(
                    "otlp.requests",
                    "Requests that came by OTLP, by what came of them",
                    counter,
                    "result",
                    label(result))));
    all.add(
        Metric.counter(
            "otlp.received.bytes", "Bytes of requests that came by OTLP, as sent", received::get));
    all.add(Metric.counter("otlp.points", "Data points that came by OTLP", points::get));
    all.add(
        Metric.counter("otlp.values", "Values of data points that are in series now", values::get));
    notKept.forEach(
        (reason, counter) ->
            all.add(
                Metric.counter(
                    "otlp.not_kept.points",
                    "Data points that came by OTLP and were not kept",
                    counter,
                    "reason",
                    reason.label())));
    all.add(notKeptValues("negative", negative));
    all.add(notKeptValues("unknown_start", unknownStart));
    lost.forEach(
        (reason, counter) ->
            all.add(
                Metric.counter(
                    "otlp.lost.values",
                    "Values of data points that the store refused",
                    counter,
                    "reason",
                    reason.label())));
    resets.forEach(
        (how, counter) -> {
          if (how != Reset.NONE) {
            all.add(
                Metric.counter(
                    "otlp.resets",
                    "Cumulative streams that began anew",
                    counter,
                    "seen_by",
                    label(how)));
          }
        });
    all.add(
        Metric.counter(
            "otlp.rounded.points",
            "Data points with bounds between whole numbers, which became the ones below",
            rounded::get));
    all.add(
        Metric.gauge("otlp.streams", "Cumulative streams that are known at the moment", streams));
    all.add(
        Metric.gauge(
            "otlp.plain", "Counters and gauges by OTLP that are shown as they are", plain));
    return all;
  }

  private static Metric notKeptValues(String reason, SingleWriterCounter counter) {
    return Metric.counter(
        "otlp.not_kept.values",
        "Values left out of data points that were kept: below 0, or counted before the sidecar"
            + " knew their stream",
        counter::get,
        "reason",
        reason);
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

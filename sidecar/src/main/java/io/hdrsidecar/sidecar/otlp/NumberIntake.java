package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Reset;
import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Taken;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Scope;
import io.hdrsidecar.sidecar.otlp.OtlpNaming.PlainKind;
import io.hdrsidecar.sidecar.plain.PlainName;
import io.hdrsidecar.sidecar.plain.PlainSeries;
import io.hdrsidecar.sidecar.plain.PlainSource;
import io.hdrsidecar.sidecar.plain.RefusedPlainException;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;

/**
 * Takes sums and gauges apart, and counts them as counters and gauges of the page. One thread at a
 * time.
 *
 * <p>A monotonic sum is a counter: what its points add is added. Of a sum that may fall, delta
 * points are added to a gauge; a cumulative one is the gauge's value, as a point of a gauge is.
 */
final class NumberIntake {
  private final OtlpNaming naming;
  private final CumulativeStreams streams;
  private final PlainSource plain;
  private final StreamId.Maker ids;
  private final OtlpCounters counters;
  private final Rejections rejections;
  private final InstantSource clock;

  /** What all points of a metric share. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  private record Sent(
      String metric,
      String name,
      String help,
      PlainKind kind,
      boolean isDelta,
      Scope scope,
      byte[] id) {
    boolean isCounter() {
      return kind == PlainKind.COUNTER;
    }
  }

  NumberIntake(
      OtlpNaming naming,
      CumulativeStreams streams,
      PlainSource plain,
      StreamId.Maker ids,
      OtlpCounters counters,
      Rejections rejections,
      InstantSource clock) {
    this.naming = naming;
    this.streams = streams;
    this.plain = plain;
    this.ids = ids;
    this.counters = counters;
    this.rejections = rejections;
    this.clock = clock;
  }

  /**
   * Counts all points of a metric.
   *
   * @param data of a sum or a gauge
   * @param metric of which they are, with its name
   * @param problem why none of them can be kept; empty for nothing
   */
  void take(
      WireReader data, boolean isSum, WireReader metric, String name, Scope scope, String problem)
      throws MalformedOtlpException {
    Sent sent;
    try {
      sent = sent(data, isSum, metric, name, scope, problem);
    } catch (RejectedPointException e) {
      rejections.notKept(e.reason(), name, e.problem(), Fields.points(data));
      return;
    }
    while (data.next()) {
      if (!data.is(1, WireReader.BYTES)) {
        data.skip();
        continue;
      }
      WireReader point = data.message();
      counters.points(1);
      try {
        take(NumberPoint.read(point), sent);
      } catch (RejectedPointException e) {
        rejections.reject(e.reason(), name, e.problem(), 1);
      } catch (RefusedPlainException e) {
        rejections.reject(NotKeptPoint.of(e.reason()), name, String.valueOf(e.getMessage()), 1);
      }
    }
  }

  private Sent sent(
      WireReader data, boolean isSum, WireReader metric, String name, Scope scope, String problem)
      throws MalformedOtlpException, RejectedPointException {
    if (!problem.isEmpty()) {
      throw new RejectedPointException(NotKeptPoint.BAD_ATTRIBUTES, problem);
    }
    long temporality = Fields.number(data.again(), 2);
    boolean isMonotonic = Fields.number(data.again(), 3) != 0;
    if (isSum) {
      OtlpIntake.requireTemporality(temporality);
    }
    PlainKind kind = isSum ? (isMonotonic ? PlainKind.COUNTER : PlainKind.SUM) : PlainKind.GAUGE;
    String unit = Fields.text(metric.again(), 3);
    return new Sent(
        name,
        naming.plain(name, unit, kind),
        OtlpNaming.help(Fields.text(metric.again(), 2)),
        kind,
        isSum && temporality == OtlpIntake.DELTA,
        scope,
        ids.of(scope.id(), List.of(), name, unit, "sum"));
  }

  private void take(NumberPoint point, Sent sent)
      throws RejectedPointException, RefusedPlainException {
    long nowMillis = clock.millis();
    point.requireTimes(nowMillis);
    PlainName name =
        new PlainName(
            naming.key(sent.name(), point.attributes, sent.scope().labels()),
            sent.isCounter(),
            sent.help(),
            1);
    // A sender whose clock is ahead would keep all others out.
    long atNanos = Math.min(point.timeNanos, nowMillis * 1_000_000);
    if (point.hasNoValue()) {
      PlainSeries shown = sent.isCounter() ? null : plain.known(name);
      if (shown != null && atNanos >= shown.atNanos()) {
        plain.end(shown);
      }
      throw new RejectedPointException(NotKeptPoint.NO_RECORDED_VALUE, "has no recorded value");
    }
    if (sent.isDelta()) {
      add(name, point.amount(sent.isCounter()).exact(), nowMillis);
    } else if (sent.isCounter()) {
      count(point, sent, name, nowMillis);
    } else {
      SentNumber value = point.value();
      PlainSeries shown = plain.find(name, nowMillis);
      if (atNanos < shown.atNanos()) {
        throw new RejectedPointException(
            NotKeptPoint.OUT_OF_ORDER, "a later point of the gauge has come before");
      }
      shown.set(value.toDouble(), atNanos, nowMillis);
    }
  }

  /** What a cumulative point adds. It is remembered only where that could be counted. */
  private void count(NumberPoint point, Sent sent, PlainName name, long nowMillis)
      throws RejectedPointException, RefusedPlainException {
    SentNumber counted = point.amount(/* isCounter= */ true);
    StreamId id = ids.of(sent.id(), point.attributes);
    Taken<BigDecimal> taken = streams.take(id, point.ofStream(counted), nowMillis);
    BigDecimal more = taken.added();
    boolean isCounted = false;
    try {
      add(name, more == null ? BigDecimal.ZERO : more, nowMillis);
      isCounted = true;
    } finally {
      (isCounted ? taken.commit() : taken.drop()).run();
    }
    if (taken.reset() != Reset.NONE) {
      counters.reset(taken.reset());
    }
    if (more == null) {
      rejections.reject(
          NotKeptPoint.UNKNOWN_START, sent.metric(), "counts from its next point on", 1);
    }
  }

  private void add(PlainName name, BigDecimal amount, long nowMillis)
      throws RejectedPointException, RefusedPlainException {
    if (!plain.find(name, nowMillis).add(amount, nowMillis)) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_POINT, "must not make a sum of more than 1.8e308");
    }
  }
}

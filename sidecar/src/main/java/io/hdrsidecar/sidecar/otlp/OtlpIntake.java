package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Reset;
import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Taken;
import io.hdrsidecar.sidecar.plain.PlainSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests apart, point by point, and has them merged before it says what became of them. One
 * thread at a time.
 */
final class OtlpIntake {
  /** Of {@code aggregation_temporality}. */
  static final int DELTA = 1;

  private static final int CUMULATIVE = 2;
  private static final Duration LEAST_FORGOTTEN = Duration.ofMinutes(15);
  private static final Duration FORGETS_EVERY = Duration.ofMinutes(1);

  private final OtlpNaming naming;
  private final CumulativeStreams streams;
  private final PointMerger merger;
  private final OtlpCounters counters;
  private final Rejections rejections;
  private final InstantSource clock;
  private final @Nullable NumberIntake numbers;
  private final StreamId.Maker ids = new StreamId.Maker();
  private final List<Pending> pending = new ArrayList<>();
  private final Set<StreamId> pendingStreams = new HashSet<>();
  private long forgottenMillis;

  /** A point that is to be merged. */
  private record Pending(
      OtlpInterval interval, @Nullable Taken<PointCounts> taken, String metric) {}

  /** What all metrics of a scope share. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  record Scope(Map<String, String> labels, byte[] id) {}

  /** How many points were rejected, and what is wrong with the first. */
  record Outcome(long rejected, String problem) {}

  /**
   * Nothing came yet.
   *
   * @param plain gets counters and gauges; null where they are not kept
   */
  OtlpIntake(
      OtlpNaming naming,
      CumulativeStreams streams,
      PointMerger merger,
      OtlpCounters counters,
      Rejections rejections,
      InstantSource clock,
      @Nullable PlainSource plain) {
    this.naming = naming;
    this.streams = streams;
    this.merger = merger;
    this.counters = counters;
    this.rejections = rejections;
    this.clock = clock;
    this.numbers =
        plain == null
            ? null
            : new NumberIntake(naming, streams, plain, ids, counters, rejections, clock);
  }

  /**
   * Counts a request. Blocks until it is merged.
   *
   * @param request an {@code ExportMetricsServiceRequest}
   * @throws MalformedOtlpException when it is damaged; nothing is counted
   */
  Outcome take(WireReader request) throws MalformedOtlpException, InterruptedException {
    WireCheck.require(request.again(), OtlpMessage.REQUEST);
    rejections.begin();
    forget(clock.millis());
    try {
      while (request.next()) {
        if (request.is(1, WireReader.BYTES)) {
          takeResource(request.message());
        } else {
          request.skip();
        }
      }
      merge();
    } finally {
      drop(pending); // None, unless something failed: they are not the next sender's.
      pending.clear();
      pendingStreams.clear();
    }
    return rejections.outcome();
  }

  private void forget(long nowMillis) {
    if (Math.abs(nowMillis - forgottenMillis) >= FORGETS_EVERY.toMillis()) {
      forgottenMillis = nowMillis;
      streams.forget(nowMillis - LEAST_FORGOTTEN.toMillis(), nowMillis);
    }
  }

  private static void drop(List<Pending> lost) {
    for (Pending each : lost) {
      Taken<PointCounts> taken = each.taken();
      if (taken != null) {
        taken.drop().run();
      }
    }
  }

  private void takeResource(WireReader reader) throws MalformedOtlpException, InterruptedException {
    List<Attribute> attributes = new ArrayList<>();
    String problem = Fields.attributes(Fields.message(reader.again(), 1), 1, attributes);
    Map<String, String> labels = naming.resourceLabels(attributes);
    byte[] id = ids.of(new byte[0], attributes, "resource");
    while (reader.next()) {
      if (reader.is(2, WireReader.BYTES)) {
        takeScope(reader.message(), labels, id, problem);
      } else {
        reader.skip();
      }
    }
  }

  private void takeScope(
      WireReader reader, Map<String, String> labels, byte[] resource, String problem)
      throws MalformedOtlpException, InterruptedException {
    List<Attribute> attributes = new ArrayList<>();
    WireReader scope = Fields.message(reader.again(), 1);
    String wrong = Fields.attributes(scope.again(), 3, attributes);
    byte[] id =
        ids.of(resource, attributes, Fields.text(scope.again(), 1), Fields.text(scope.again(), 2));
    Scope shared = new Scope(labels, id);
    while (reader.next()) {
      if (reader.is(2, WireReader.BYTES)) {
        takeMetric(reader.message(), shared, problem.isEmpty() ? wrong : problem);
      } else {
        reader.skip();
      }
    }
  }

  private void takeMetric(WireReader reader, Scope scope, String problem)
      throws MalformedOtlpException, InterruptedException {
    String name = Fields.text(reader.again(), 1);
    WireReader data = reader.again();
    while (data.next()) {
      if (data.type() != WireReader.BYTES) {
        data.skip();
        continue;
      }
      switch (data.field()) {
        case 5, 7 -> {
          boolean isSum = data.field() == 7;
          takeNumbers(data.message(), isSum, reader, name, scope, problem);
        }
        case 9, 10 -> {
          boolean isBase2 = data.field() == 10;
          takeHistogram(data.message(), isBase2, reader, name, scope, problem);
        }
        case 11 ->
            rejections.notKept(
                NotKeptPoint.SUMMARY, name, "is a summary", Fields.points(data.message()));
        default -> data.skip();
      }
    }
  }

  private void takeNumbers(
      WireReader data, boolean isSum, WireReader metric, String name, Scope scope, String problem)
      throws MalformedOtlpException {
    if (numbers != null) {
      numbers.take(data, isSum, metric, name, scope, problem);
    } else if (isSum) {
      rejections.notKept(NotKeptPoint.SUM, name, "is a sum", Fields.points(data));
    } else {
      rejections.notKept(NotKeptPoint.GAUGE, name, "is a gauge", Fields.points(data));
    }
  }

  private void takeHistogram(
      WireReader data, boolean isBase2, WireReader metric, String name, Scope scope, String problem)
      throws MalformedOtlpException, InterruptedException {
    String unit = Fields.text(metric.again(), 3);
    OtlpNaming.Named named;
    long temporality = Fields.number(data.again(), 2);
    try {
      if (!problem.isEmpty()) {
        throw new RejectedPointException(NotKeptPoint.BAD_ATTRIBUTES, problem);
      }
      requireTemporality(temporality);
      named = naming.metric(name, unit, Fields.text(metric.again(), 2));
    } catch (RejectedPointException e) {
      rejections.notKept(e.reason(), name, e.problem(), Fields.points(data));
      return;
    }
    byte @Nullable [] id = null; // Nothing of a delta stream is remembered.
    if (temporality == CUMULATIVE) {
      id = ids.of(scope.id(), List.of(), name, unit, isBase2 ? "base2" : "explicit");
    }
    while (data.next()) {
      if (!data.is(1, WireReader.BYTES)) {
        data.skip();
        continue;
      }
      WireReader point = data.message();
      counters.points(1);
      try {
        DataPoint read = isBase2 ? PointReader.exponential(point) : PointReader.explicit(point);
        takePoint(read, named, name, scope, id);
      } catch (RejectedPointException e) {
        rejections.reject(e.reason(), name, e.problem(), 1);
      }
    }
  }

  /** As it was sent. */
  static void requireTemporality(long temporality) throws RejectedPointException {
    if (temporality != DELTA && temporality != CUMULATIVE) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_TEMPORALITY, "aggregation_temporality must be delta or cumulative");
    }
  }

  private void takePoint(
      DataPoint point,
      OtlpNaming.Named named,
      String metric,
      Scope scope,
      byte @Nullable [] cumulative)
      throws RejectedPointException, InterruptedException {
    if (point.hasNoValue()) {
      throw new RejectedPointException(NotKeptPoint.NO_RECORDED_VALUE, "has no recorded value");
    }
    point.requireTimes(clock.millis());
    SeriesKey key = naming.key(named.name(), point.attributes, scope.labels());
    long valuesPerUnit = named.unit().valuesPerUnit();
    if (cumulative == null) {
      if (point.count > 0) {
        OtlpInterval interval = new OtlpInterval(key, named, PointCounts.of(point, valuesPerUnit));
        add(new Pending(interval, null, metric));
      }
      return;
    }
    StreamId id = ids.of(cumulative, point.attributes);
    if (pendingStreams.contains(id)) {
      merge(); // What comes before in the stream is to be remembered first.
    }
    Taken<PointCounts> taken =
        streams.take(id, HistogramStream.point(point, valuesPerUnit), clock.millis());
    PointCounts counts = taken.added();
    if (counts == null || counts.total() == 0) {
      committed(taken);
    } else if (add(new Pending(new OtlpInterval(key, named, counts), taken, metric))) {
      pendingStreams.add(id);
    }
  }

  /** Whether it is to be merged yet. */
  private boolean add(Pending next) throws InterruptedException {
    if (next.interval().total() == 0) { // Nothing but negative values.
      kept(next);
      return false;
    }
    pending.add(next);
    if (pending.size() < PointMerger.SLICE) {
      return true;
    }
    merge();
    return false;
  }

  private void kept(Pending kept) {
    counters.merged(kept.interval());
    if (kept.taken() != null) {
      committed(kept.taken());
    }
  }

  private void committed(Taken<PointCounts> taken) {
    taken.commit().run();
    counters.unknownStart(taken.unknownStart());
    if (taken.reset() != Reset.NONE) {
      counters.reset(taken.reset());
    }
  }

  private void merge() throws InterruptedException {
    if (!pending.isEmpty()) {
      List<@Nullable RefusedException> refused =
          merger.merge(pending.stream().map(Pending::interval).toList());
      for (int i = 0; i < refused.size(); i++) {
        settle(pending.get(i), refused.get(i));
      }
      pending.clear();
      pendingStreams.clear();
    }
  }

  private void settle(Pending settled, @Nullable RefusedException refused) {
    Taken<PointCounts> taken = settled.taken();
    if (refused == null) {
      kept(settled);
      return;
    }
    rejections.reject(
        NotKeptPoint.REFUSED,
        settled.metric(),
        refused.reason().label() + ": " + refused.getMessage(),
        1);
    if (taken == null) {
      counters.lost(refused.reason(), settled.interval().total());
    } else {
      taken.drop().run(); // Its values are in the next difference.
    }
  }
}

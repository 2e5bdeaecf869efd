package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.sla.SlaStatus.WindowStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The verdicts as {@code hdr_sla_*}.
 *
 * <p>What has the label {@code quantile} and is a gauge in all but name is untyped, as the
 * quantiles of the windows are: promtool complains of the label on a typed gauge. Good and all
 * events are counters all the same: Prometheus and its users must know that these only rise.
 */
public final class SlaCollector implements MultiCollector {
  private static final String PREFIX = "hdr_sla_";
  private static final String EVALUATION = "hdr_sidecar_sla_evaluation_";
  private static final String SLA = "sla";
  private static final String QUANTILE = "quantile";
  private static final String WINDOW = "window";

  private final SlaEvaluator evaluator;

  /** Shows what the last evaluation found, and how evaluating goes. */
  public SlaCollector(SlaEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  @Override
  public MetricSnapshots collect() {
    List<SlaStatus> now = evaluator.statuses();
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    if (!now.isEmpty() && evaluator.isHere()) {
      Map<String, List<SlaStatus>> byUnit = new TreeMap<>();
      now.forEach(
          status ->
              byUnit
                  .computeIfAbsent(status.rule().baseUnit(), unit -> new ArrayList<>())
                  .add(status));
      byUnit.forEach((unit, of) -> addLimits(snapshots, unit, of));
      addVerdicts(snapshots, now);
      addCounters(snapshots, now);
      addEvaluation(snapshots);
    }
    return snapshots.build();
  }

  private void addEvaluation(MetricSnapshots.Builder snapshots) {
    snapshots
        .metricSnapshot(
            single(
                "timestamp",
                "When rules were evaluated last.",
                evaluator.lastEvaluationAt().toEpochMilli() / 1e3))
        .metricSnapshot(
            single(
                "duration",
                "How long the last evaluation of all rules took.",
                evaluator.lastEvaluationNanos() / 1e9))
        .metricSnapshot(
            CounterSnapshot.builder()
                .name(EVALUATION + "failures")
                .help("Evaluations of the series of a rule that failed.")
                .dataPoint(
                    CounterDataPointSnapshot.builder().value((double) evaluator.failures()).build())
                .build());
  }

  private static GaugeSnapshot single(String what, String help, double seconds) {
    return GaugeSnapshot.builder()
        .name(EVALUATION + what + "_seconds")
        .unit(Unit.SECONDS)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value(seconds).build())
        .build();
  }

  private static void addLimits(
      MetricSnapshots.Builder snapshots, String baseUnit, List<SlaStatus> statuses) {
    UnknownSnapshot.Builder limits = gauge("limit", baseUnit, "Limit of a row of an SLA.");
    UnknownSnapshot.Builder actuals =
        gauge("actual", baseUnit, "Quantile of what was counted in the window.");
    boolean any = false;
    for (SlaStatus status : statuses) {
      for (WindowStatus window : status.windows()) {
        for (SlaLimit limit : status.rule().limits()) {
          Labels labels = labels(status, limit, window.window());
          limits.dataPoint(point(labels, limit.limit().doubleValue()));
        }
        for (Row row : window.rows()) {
          any = true;
          actuals.dataPoint(
              point(labels(status, row.limit(), window.window()), actual(status, row)));
        }
      }
    }
    snapshots.metricSnapshot(limits.build());
    if (any) {
      snapshots.metricSnapshot(actuals.build());
    }
  }

  private static double actual(SlaStatus status, Row row) {
    io.hdrsidecar.series.Unit unit = status.unit();
    return unit == null ? row.actual() : unit.toBaseUnit((double) row.actual());
  }

  private static void addVerdicts(MetricSnapshots.Builder snapshots, List<SlaStatus> statuses) {
    UnknownSnapshot.Builder met =
        gauge("met", "", "1 while the row is met in the window, 0 while it is broken.");
    UnknownSnapshot.Builder objectives =
        gauge("objective", "", "Share of events that must be good, of the row alerts are about.");
    GaugeSnapshot.Builder matched =
        GaugeSnapshot.builder()
            .name(PREFIX + "matched_series")
            .help("Series that the selector of the SLA matches.");
    GaugeSnapshot.Builder judged =
        GaugeSnapshot.builder()
            .name(PREFIX + "judged")
            .help("1 while the SLA can be judged, 0 while it cannot; /api/v1/sla says why.");
    for (SlaStatus status : statuses) {
      matched.dataPoint(ofRule(status, status.series().size()));
      judged.dataPoint(ofRule(status, status.trouble().isEmpty() ? 1 : 0));
      for (WindowStatus window : status.windows()) {
        for (Row row : window.rows()) {
          met.dataPoint(point(labels(status, row.limit(), window.window()), row.met() ? 1 : 0));
        }
      }
      for (SlaLimit limit : status.rule().limits()) {
        if (status.rule().hasBudgetIn(limit)) {
          objectives.dataPoint(
              point(
                  Labels.of(SLA, status.rule().name(), QUANTILE, limit.quantileLabel()),
                  limit.percentile().movePointLeft(2).doubleValue()));
        }
      }
    }
    snapshots.metricSnapshot(matched.build()).metricSnapshot(judged.build());
    addWholeSeries(snapshots, statuses);
    addIfAny(snapshots, met.build());
    addIfAny(snapshots, objectives.build());
  }

  /** By which a dashboard finds the rules about what it shows. */
  private static void addWholeSeries(MetricSnapshots.Builder snapshots, List<SlaStatus> statuses) {
    InfoSnapshot.Builder whole =
        InfoSnapshot.builder()
            .name(PREFIX + "whole_series")
            .help("SLAs about all raw series of a name, of one kind or without kinds.");
    boolean any = false;
    for (SlaStatus status : statuses) {
      Optional<WholeSeries> series = WholeSeries.of(status.rule());
      any |= series.isPresent();
      series.ifPresent(
          of ->
              whole.dataPoint(
                  InfoDataPointSnapshot.builder()
                      .labels(
                          Labels.of(
                              SLA, status.rule().name(), "series", of.name(), "kind", of.kind()))
                      .build()));
    }
    if (any) {
      snapshots.metricSnapshot(whole.build());
    }
  }

  private static GaugeDataPointSnapshot ofRule(SlaStatus status, double value) {
    return GaugeDataPointSnapshot.builder()
        .labels(Labels.of(SLA, status.rule().name()))
        .value(value)
        .build();
  }

  private static void addIfAny(MetricSnapshots.Builder snapshots, UnknownSnapshot snapshot) {
    if (!snapshot.getDataPoints().isEmpty()) {
      snapshots.metricSnapshot(snapshot);
    }
  }

  private static void addCounters(MetricSnapshots.Builder snapshots, List<SlaStatus> statuses) {
    CounterSnapshot.Builder good =
        CounterSnapshot.builder().name(PREFIX + "good").help("Events within the limit.");
    CounterSnapshot.Builder events =
        CounterSnapshot.builder().name(PREFIX + "events").help("All events the SLA is about.");
    for (SlaStatus status : statuses) {
      List<SlaLimit> limits = status.counted() ? status.rule().limits() : List.of();
      for (int i = 0; i < limits.size(); i++) {
        Labels labels =
            Labels.of(SLA, status.rule().name(), QUANTILE, limits.get(i).quantileLabel());
        good.dataPoint(counter(status, labels, status.counts().get(i).good()));
        events.dataPoint(counter(status, labels, status.counts().get(i).events()));
      }
    }
    snapshots.metricSnapshot(good.build()).metricSnapshot(events.build());
  }

  private static CounterDataPointSnapshot counter(SlaStatus status, Labels labels, long value) {
    return CounterDataPointSnapshot.builder()
        .labels(labels)
        .value((double) value)
        .createdTimestampMillis(status.countedSince().toEpochMilli())
        .build();
  }

  private static UnknownSnapshot.Builder gauge(String name, String baseUnit, String help) {
    UnknownSnapshot.Builder gauge =
        UnknownSnapshot.builder()
            .name(PREFIX + name + (baseUnit.isEmpty() ? "" : "_" + baseUnit))
            .help(help);
    return baseUnit.isEmpty() ? gauge : gauge.unit(new Unit(baseUnit));
  }

  private static Labels labels(SlaStatus status, SlaLimit limit, String window) {
    return Labels.of(SLA, status.rule().name(), QUANTILE, limit.quantileLabel(), WINDOW, window);
  }

  private static UnknownDataPointSnapshot point(Labels labels, double value) {
    return UnknownDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}

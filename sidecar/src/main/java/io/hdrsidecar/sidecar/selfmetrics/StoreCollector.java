package io.hdrsidecar.sidecar.selfmetrics;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MemoryState.Pressure;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.StoreStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/**
 * What the store holds, merged and refused. One look at the store, which visits every series,
 * serves all metrics of a scrape; meters of their own would each take one.
 */
final class StoreCollector implements MultiCollector {
  private static final String PREFIX = "hdr_sidecar_";

  private final SeriesStore store;
  private final long startMillis;

  /**
   * A collector.
   *
   * @param startMillis when the counters of the store were 0
   */
  StoreCollector(SeriesStore store, long startMillis) {
    this.store = store;
    this.startMillis = startMillis;
  }

  @Override
  public MetricSnapshots collect() {
    StoreStatus status = store.status();
    return MetricSnapshots.of(
        gauge("series", "Series held, overflow series included.", status.series()),
        gauge(
            "overflow_series",
            "Series held that collect label sets over the limit.",
            status.overflowSeries()),
        gauge("series_limit", "Most series held before label sets overflow.", status.maxSeries()),
        gauge("counts_bytes", "Memory of all counts and windows.", status.bytes()),
        gauge(
            "memory_held_bytes",
            "Memory of all series, names and labels included, or what their counts reserve,"
                + " whatever is more, as reckoned against hdr_sidecar_memory_limit_bytes.",
            status.memory().heldBytes()),
        gauge("memory_limit_bytes", "Most memory of all series.", status.memory().limitBytes()),
        gauge(
            "series_without_windows",
            "Series whose windows are given up as memory is short.",
            status.memory().seriesWithoutWindows()),
        pressure(status.memory().pressure()),
        counter("merged_intervals", "Intervals merged.", status.intervals()),
        counter("merged_values", "Values in the intervals merged.", status.values()),
        counter(
            "series_expired", "Series that ended as no interval came for long.", status.expired()),
        rejected(status));
  }

  private static GaugeSnapshot gauge(String name, String help, long value) {
    return GaugeSnapshot.builder()
        .name(PREFIX + name)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value((double) value).build())
        .build();
  }

  private static GaugeSnapshot pressure(Pressure now) {
    GaugeSnapshot.Builder stages =
        GaugeSnapshot.builder()
            .name(PREFIX + "memory_pressure")
            .help("1 while windows, labels or counts are given up (stage), as memory is short.");
    for (Pressure stage : Pressure.values()) {
      if (stage != Pressure.NONE) {
        stages.dataPoint(
            GaugeDataPointSnapshot.builder()
                .labels(Labels.of("stage", stage.label()))
                .value(now.compareTo(stage) >= 0 ? 1 : 0)
                .build());
      }
    }
    return stages.build();
  }

  private CounterSnapshot counter(String name, String help, long value) {
    return CounterSnapshot.builder()
        .name(PREFIX + name)
        .help(help)
        .dataPoint(
            CounterDataPointSnapshot.builder()
                .value((double) value)
                .createdTimestampMillis(startMillis)
                .build())
        .build();
  }

  /** Every reason from the start, so that the first refusal is a rise and not a new series. */
  private CounterSnapshot rejected(StoreStatus status) {
    CounterSnapshot.Builder counters =
        CounterSnapshot.builder()
            .name(PREFIX + "rejected")
            .help("Frames, series and intervals refused, by reason.");
    for (RejectReason reason : RejectReason.values()) {
      counters.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(Labels.of("reason", reason.label()))
              .value((double) status.rejected().getOrDefault(reason, 0L))
              .createdTimestampMillis(startMillis)
              .build());
    }
    return counters.build();
  }
}

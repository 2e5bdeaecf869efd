package io.hdrsidecar.sidecar.metric;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The metrics of a process about itself, as its stages add them. Any thread.
 *
 * <p>Names are given as in {@link Metric}. Each is shown as {@code hdr_sidecar_*}, so that it meets
 * no series of a client, such as {@code jvm_gc_pause}; but for {@code process_*}, which dashboards
 * and Prometheus' own rules look for under these names: the store refuses series that start so.
 */
public final class MetricRegistry {
  private static final String PREFIX = "hdr_sidecar_";
  private static final String PROCESS = "process_";

  private final long startMillis = System.currentTimeMillis();
  private final PrometheusRegistry prometheus = new PrometheusRegistry();
  private final Map<String, MetricFamily> families = new ConcurrentHashMap<>();
  private final Map<List<String>, LongAdder> counters = new ConcurrentHashMap<>();
  private final Map<List<String>, Amounts> summaries = new ConcurrentHashMap<>();

  /** One without metrics. */
  public MetricRegistry() {
    prometheus.register(this::collect);
  }

  /** Shows a metric; of those with one name and the same labels the last. */
  public void add(Metric metric) {
    family(metric.name(), metric.help()).put(metric);
  }

  /** Shows metrics. */
  public void add(List<Metric> metrics) {
    metrics.forEach(this::add);
  }

  /** Shows many metrics that one look finds. */
  public void add(MultiCollector collector) {
    prometheus.register(collector);
  }

  /**
   * A counter, from 0 on; the same for all who ask with this name and these labels.
   *
   * @param labels names and values, one after the other
   */
  public LongAdder counter(String name, String help, String... labels) {
    return counters.computeIfAbsent(
        key(name, labels),
        k -> {
          LongAdder counter = new LongAdder();
          add(Metric.counter(name, help, counter::sum, labels));
          return counter;
        });
  }

  /** A summary, as {@link #counter}. */
  public Amounts summary(String name, String help, String... labels) {
    return summaries.computeIfAbsent(
        key(name, labels),
        k -> {
          Amounts amounts = new Amounts(System::nanoTime);
          addSummary(name, help, amounts::totals, labels);
          return amounts;
        });
  }

  /** Shows a summary that somebody else adds up. */
  public void addSummary(
      String name, String help, Supplier<Amounts.CountAndSum> totals, String... labels) {
    family(name, help).put(totals, List.of(labels));
  }

  private static List<String> key(String name, String... labels) {
    List<String> key = new ArrayList<>(List.of(labels));
    key.add(name);
    return key;
  }

  private MetricFamily family(String name, String help) {
    String underscores = name.replace('.', '_');
    String shown = underscores.startsWith(PROCESS) ? underscores : PREFIX + underscores;
    return families.computeIfAbsent(shown, n -> new MetricFamily(n, help + ".", startMillis));
  }

  private MetricSnapshots collect() {
    return new MetricSnapshots(
        families.values().stream()
            .filter(MetricFamily::hasMetrics)
            .map(MetricFamily::snapshot)
            .toList());
  }

  /** When all counters were 0, in milliseconds since the epoch. */
  public long startMillis() {
    return startMillis;
  }

  /** What all of it is now. */
  public MetricSnapshots scrape() {
    return prometheus.scrape();
  }

  /** The same as a page of Prometheus' text format. */
  public String text() {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(page, scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // There is none in memory.
    }
    return page.toString(StandardCharsets.UTF_8);
  }
}

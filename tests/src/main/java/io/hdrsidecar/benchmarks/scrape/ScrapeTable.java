package io.hdrsidecar.benchmarks.scrape;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Group {@code scrape}: whole scrapes of many series, from the counts to the bytes, beside the
 * Prometheus client's own writers, which get the same families as snapshots made before.
 */
public final class ScrapeTable implements BenchmarkGroup {
  private static final int INTERVALS = 5;
  private static final int VALUES = 200;
  static final String PROTOBUF =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

  /** A format: how it is asked for, and what of the client writes it. */
  private record Format(
      String name, String accept, ExpositionFormatWriter client, String goalMillis) {}

  private static final List<Format> FORMATS =
      List.of(
          new Format("text 0.0.4", "text/plain", PrometheusTextFormatWriter.create(), "400"),
          new Format(
              "OpenMetrics 1.0",
              OPEN_METRICS,
              OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(true).build(),
              "400"),
          new Format("protobuf", PROTOBUF, new PrometheusProtobufWriter(), "250"));

  @Override
  public String name() {
    return "scrape";
  }

  @Override
  public String about() {
    return "A whole scrape of 10,000 series (5 quantiles of 1 window, 5 classic edges, in protobuf"
        + " also native buckets of schema 3), from the counts to the bytes, and the Prometheus"
        + " client's writers writing the same families from snapshots made before. Medians: the"
        + " processor time of the scraping thread, the time by the clock, bytes allocated by that"
        + " thread, bytes written.";
  }

  @Override
  public String measure(Effort effort) {
    try {
      return formats(filled(effort), effort);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Series with some hundreds of non-zero buckets each. */
  static LoadedStore filled(Effort effort) throws Exception {
    int series = effort.quick() ? 500 : 10_000;
    LoadedStore load = new LoadedStore(series, VALUES, "1m", Clock.systemUTC(), System::nanoTime);
    for (int i = 0; i < INTERVALS; i++) {
      load.mergeAll();
    }
    return load;
  }

  static Exposition exposition(LoadedStore load) {
    ExposeConfig defaults = ExposeConfig.defaults();
    ExposeConfig config =
        new ExposeConfig(
            List.of(0.5, 0.9, 0.99, 0.999, 1.0),
            List.of(0.001, 0.005, 0.01, 0.05, 0.1),
            defaults.bytesEdges(),
            defaults.plainEdges(),
            3,
            160);
    return new Exposition(config, load.store(), new MetricRegistry());
  }

  private static String formats(LoadedStore load, Effort effort) throws IOException {
    Exposition exposition = exposition(load);
    MetricSnapshots snapshots = ClientSnapshots.of(new WholePage(exposition, PROTOBUF).bytes());
    List<Measured> ours = new ArrayList<>();
    List<Measured> client = new ArrayList<>();
    for (Format format : FORMATS) {
      ours.add(new Measured(() -> new WholePage(exposition, format.accept()).length()));
      client.add(new Measured(() -> write(format.client(), snapshots)));
    }
    for (int round = 0; round < (effort.quick() ? 3 : 24); round++) {
      for (int i = 0; i < FORMATS.size(); i++) {
        ours.get(i).run();
        client.get(i).run();
      }
    }
    StringBuilder table =
        new StringBuilder(
            """
            | format | who | CPU ms | clock ms | of the client's | goal | MB allocated | MB |
            |---|---|---|---|---|---|---|---|
            """);
    for (int i = 0; i < FORMATS.size(); i++) {
      append(table, FORMATS.get(i), "hdr-sidecar", ours.get(i), client.get(i));
      append(table, FORMATS.get(i), "client, from ready snapshots", client.get(i), client.get(i));
    }
    return table.toString();
  }

  private static void append(
      StringBuilder table, Format format, String who, Measured measured, Measured client) {
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.0f | %.0f | %.2f | %s | %.1f | %.1f |%n",
            format.name(),
            who,
            measured.cpuMillis(),
            measured.clockMillis(),
            measured.cpuMillis() / client.cpuMillis(),
            measured == client ? "" : "< " + format.goalMillis() + " ms, at most 2",
            measured.allocatedBytes() / 1e6,
            measured.result() / 1e6));
  }

  private static int write(ExpositionFormatWriter writer, MetricSnapshots snapshots)
      throws IOException {
    CountingOutput out = new CountingOutput();
    writer.write(out, snapshots, EscapingScheme.DEFAULT);
    return out.bytes;
  }

  /** Takes everything and keeps nothing. */
  private static final class CountingOutput extends OutputStream {
    private int bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int offset, int length) {
      bytes += length;
    }
  }
}

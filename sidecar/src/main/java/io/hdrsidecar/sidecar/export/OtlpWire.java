package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.config.ExportConfig.Packing;
import io.hdrsidecar.sidecar.config.ExportConfig.Temporality;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.otlp.WireReader;
import io.hdrsidecar.sidecar.otlp.WireWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * OTLP over HTTP: {@code ExportMetricsServiceRequest} with one resource and one scope. Numbers of
 * fields:
 *
 * <pre>
 * Request          1 resource_metrics
 * ResourceMetrics  1 resource (1 attributes)  2 scope_metrics
 * ScopeMetrics     1 scope (1 name, 2 version)  2 metrics
 * Metric           1 name  2 description  3 unit  10 exponential_histogram
 * ExponentialHistogram  1 data_points  2 aggregation_temporality (1 delta, 2 cumulative)
 * </pre>
 *
 * <p>The name of a metric is that of its family on {@code /metrics} without the unit at its end,
 * which Prometheus appends again.
 *
 * <p>Source: the specification of OTLP, "OTLP/HTTP".
 */
final class OtlpWire implements ExportWire {
  private static final String SCOPE = "io.hdrsidecar";

  private final ExportConfig config;
  private final String version;
  private final boolean isDelta;
  private final WireWriter out;
  private final PointWriter points;
  private int resource;
  private int scope;
  private String openMetric = "";
  private int metric;
  private int histogram;

  /**
   * One for the resource, the buckets and the temporality of this configuration.
   *
   * @param claim what it holds is taken from
   */
  OtlpWire(ExportConfig config, String version, HeapClaim claim) {
    this.config = config;
    this.version = version;
    this.isDelta = config.temporality() == Temporality.DELTA;
    this.out = new WireWriter(claim);
    this.points = new PointWriter(out, config.maxBuckets(), isDelta);
  }

  @Override
  public Map<String, String> headers() {
    String type = "application/x-protobuf";
    return config.compression() == Packing.NONE
        ? Map.of("Content-Type", type)
        : Map.of("Content-Type", type, "Content-Encoding", "gzip");
  }

  @Override
  public void begin(boolean isFirst, long timeNanos) {
    out.clear();
    openMetric = "";
    resource = out.begin(1);
    int attributes = out.begin(1);
    config.resource().forEach((key, value) -> points.attribute(1, key, value));
    out.end(attributes);
    scope = out.begin(2);
    int name = out.begin(1);
    points.text(1, SCOPE);
    points.text(2, version);
    out.end(name);
  }

  @Override
  public SentPoint read(Series series, SentPoint before, long timeNanos) {
    return points.read(series, before, timeNanos);
  }

  @Override
  public void point(ExportStream stream, Series series, long timeNanos) {
    if (!stream.metric().equals(openMetric)) {
      endMetric();
      openMetric = stream.metric();
      metric = out.begin(2);
      head(series);
      histogram = out.begin(10);
    }
    points.write(1, series, stream.delivered(), stream.startNanos(timeNanos), timeNanos);
  }

  private void head(Series series) {
    String baseUnit = series.unit().baseUnit();
    String family = series.metricNames().cumulative();
    boolean hasUnit = !baseUnit.isEmpty();
    points.text(1, hasUnit ? family.substring(0, family.length() - baseUnit.length() - 1) : family);
    if (!series.help().isEmpty()) {
      points.text(2, series.help());
    }
    if (hasUnit) {
      points.text(3, baseUnit.equals("seconds") ? "s" : "By");
    }
  }

  private void endMetric() {
    if (!openMetric.isEmpty()) {
      out.tag(2, WireReader.VARINT);
      out.varint(isDelta ? 1 : 2);
      out.end(histogram);
      out.end(metric);
    }
  }

  @Override
  public void end() {
    endMetric();
    out.end(scope);
    out.end(resource);
  }

  @Override
  public int size() {
    return out.size();
  }

  @Override
  public byte[] packed() {
    if (config.compression() == Packing.NONE) {
      return out.copy();
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream(out.size() / 4 + 64);
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      out.writeTo(gzip);
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes everything", e);
    }
    return packed.toByteArray();
  }

  @Override
  public ExportAnswer answer(int status, HttpHeaders headers, byte[] body, int points) {
    return OtlpResponse.of(headers.firstValue("Content-Type").orElse(""), body).answer(status);
  }
}

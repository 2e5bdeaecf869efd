package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.config.ExportConfig.Packing;
import io.hdrsidecar.sidecar.config.ExportConfig.Temporality;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.otlp.WireReader;
import io.hdrsidecar.sidecar.otlp.WireWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Writes requests, each of some bytes at most, or one series: {@code ExportMetricsServiceRequest}
 * with one resource and one scope. Numbers of fields:
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
 * which Prometheus appends again. One thread at a time.
 */
final class RequestWriter {
  private static final String SCOPE = "io.hdrsidecar";
  private static final int LEAST_BYTES = 4 << 10;

  private final ExportConfig config;
  private final String version;
  private final boolean isDelta;
  private final ExportStreams streams;
  private final WireWriter out;
  private final PointWriter points;
  private int maxBytes;

  /**
   * A writer.
   *
   * @param claim what it holds is taken from, some six times the size of a request
   * @param maxBytes of a request, unpacked
   */
  RequestWriter(
      ExportConfig config, String version, ExportStreams streams, HeapClaim claim, int maxBytes) {
    this.config = config;
    this.version = version;
    this.isDelta = config.temporality() == Temporality.DELTA;
    this.streams = streams;
    this.out = new WireWriter(claim);
    this.points = new PointWriter(out, config.maxBuckets(), isDelta);
    this.maxBytes = maxBytes;
  }

  /**
   * What the series have counted already counts as delivered. A run of this sidecar before has
   * pushed it, and deltas of it would be told twice.
   *
   * @return how many values that is
   */
  long assumeDelivered(long timeNanos) {
    long values = 0;
    for (ExportStream stream : streams.round()) {
      Series series = stream.series();
      if (series != null) {
        SentPoint point = points.read(series, SentPoint.NONE, timeNanos);
        streams.assume(stream, point);
        values += point.count();
      }
    }
    return values;
  }

  /**
   * The receiver finds the request that was written last too large: others are half as large, from
   * now on. False when they cannot be smaller.
   */
  boolean halve() {
    int size = Math.min(maxBytes, out.size());
    maxBytes = Math.max(LEAST_BYTES, size / 2);
    return size > LEAST_BYTES;
  }

  /**
   * A request with the points of these streams, from one place on.
   *
   * @param timeNanos of all points
   * @throws HeapFullException when there is no room for a request; it is as if nothing was asked
   */
  ExportRequest write(List<ExportStream> all, int from, long timeNanos) {
    List<ExportStream> written = new ArrayList<>();
    try {
      int next = write(all, from, timeNanos, written);
      return new ExportRequest(packed(), written, next);
    } catch (RuntimeException e) {
      streams.giveUp(new ExportRequest(new byte[0], written, from));
      throw e;
    }
  }

  private int write(List<ExportStream> all, int from, long timeNanos, List<ExportStream> written) {
    out.clear();
    int resource = out.begin(1);
    resource();
    int scope = out.begin(2);
    scope();
    int next = from;
    while (next < all.size() && hasRoom(written)) {
      next = metric(all, next, timeNanos, written);
    }
    out.end(scope);
    out.end(resource);
    return next;
  }

  /** One point goes into each request, also where the resource alone is as large as one may be. */
  private boolean hasRoom(List<ExportStream> written) {
    return written.isEmpty() || out.size() < maxBytes;
  }

  private void resource() {
    int message = out.begin(1);
    config.resource().forEach((key, value) -> points.attribute(1, key, value));
    out.end(message);
  }

  private void scope() {
    int message = out.begin(1);
    points.text(1, SCOPE);
    points.text(2, version);
    out.end(message);
  }

  /** The points of one metric; gives where others begin. */
  private int metric(List<ExportStream> all, int from, long timeNanos, List<ExportStream> written) {
    String name = all.get(from).metric();
    int metric = -1;
    int histogram = -1;
    int next = from;
    for (; next < all.size() && all.get(next).metric().equals(name) && hasRoom(written); next++) {
      ExportStream stream = all.get(next);
      Series series = stream.series();
      if (series == null) {
        continue;
      }
      SentPoint before = stream.delivered();
      SentPoint now = points.read(series, before, timeNanos);
      if ((isDelta && now.count() == before.count()) || !streams.send(stream, now)) {
        continue;
      }
      written.add(stream); // Before anything is written of it, for which there may be no room.
      if (metric < 0) {
        metric = out.begin(2);
        head(series);
        histogram = out.begin(10);
      }
      points.write(1, series, before, stream.startNanos(timeNanos), timeNanos);
    }
    if (metric >= 0) {
      out.tag(2, WireReader.VARINT);
      out.varint(isDelta ? 1 : 2);
      out.end(histogram);
      out.end(metric);
    }
    return next;
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

  private byte[] packed() {
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
}

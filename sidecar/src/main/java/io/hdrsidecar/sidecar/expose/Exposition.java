package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.config.PrometheusProperties;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Renders {@code /metrics}: the series of the store and the sidecar's own metrics on one page, in
 * the format the scraper prefers, through the Prometheus client's own writers.
 *
 * <p>Created timestamps are told in protobuf and OpenMetrics; the older text format has no place
 * for them. Samples carry no timestamps, which would switch off Prometheus' staleness marking.
 *
 * <p>{@link #render} costs time in proportion to the series and blocks other callers meanwhile:
 * call it on a worker thread. The page and the client's snapshots are garbage of each scrape;
 * reading the counts allocates nothing.
 */
public final class Exposition {
  private static final int PAGE_SLACK = 4096;

  private final SeriesStore store;
  private SeriesFamilies families;
  private final PrometheusRegistry own;
  private final ScrapeMeters meters;
  private final ExpositionFormats formats =
      ExpositionFormats.init(PrometheusProperties.builder().build());
  private final ExpositionFormatWriter protobuf = new CreatedTimestampProtobufWriter();
  private final ExpositionFormatWriter openMetrics =
      OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(true).build();
  private int lastBytes = 64 * 1024;

  /**
   * An exposition of a store and a registry.
   *
   * @param own the sidecar's own metrics; those about scrapes are added to it
   */
  public Exposition(ExposeConfig config, SeriesStore store, PrometheusMeterRegistry own) {
    this.store = store;
    this.own = own.getPrometheusRegistry();
    this.meters = new ScrapeMeters(own);
    this.families = new SeriesFamilies(config, store, meters);
  }

  /** Shows series in another way from the next page on. Any thread. */
  public synchronized void use(ExposeConfig config) {
    families = new SeriesFamilies(config, store, meters);
  }

  /**
   * Renders everything as of now. Any thread, one at a time.
   *
   * @param accept the request's Accept header, if there is one
   * @param gzip whether the scraper takes a compressed page
   */
  public synchronized Page render(@Nullable String accept, boolean gzip) throws IOException {
    long start = System.nanoTime();
    ExpositionFormatWriter writer = writerFor(accept);
    EscapingScheme escaping = EscapingScheme.fromAcceptHeader(accept);
    MetricSnapshots snapshots =
        snapshots(writer == protobuf, writer != protobuf && writer != openMetrics);
    BufferOutput page = new BufferOutput(lastBytes + PAGE_SLACK);
    write(writer, escaping, snapshots, page, gzip);
    lastBytes = page.buffer().length();
    meters.finished(System.nanoTime() - start, lastBytes);
    return new Page(page.buffer(), writer.getContentType() + escaping.toHeaderFormat(), gzip);
  }

  private ExpositionFormatWriter writerFor(@Nullable String accept) {
    for (String ranges : AcceptHeader.byWeight(accept)) {
      ExpositionFormatWriter writer = formats.findWriter(ranges);
      if (writer instanceof PrometheusProtobufWriter) {
        return protobuf;
      }
      if (writer instanceof OpenMetricsTextFormatWriter) {
        return openMetrics;
      }
      if (AcceptHeader.takesText(ranges)) {
        return writer;
      }
    }
    return formats.findWriter(null); // plain text
  }

  private MetricSnapshots snapshots(boolean withNative, boolean plainText) {
    List<MetricSnapshot> all = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (MetricSnapshot snapshot : own.scrape()) {
      all.add(plainText ? PlainTextTypes.typed(snapshot) : snapshot);
      taken.add(snapshot.getMetadata().getPrometheusName());
    }
    all.addAll(families.snapshots(withNative, taken));
    return new MetricSnapshots(all);
  }

  private static void write(
      ExpositionFormatWriter writer,
      EscapingScheme escaping,
      MetricSnapshots snapshots,
      OutputStream page,
      boolean gzip)
      throws IOException {
    if (!gzip) {
      writer.write(page, snapshots, escaping);
      return;
    }
    try (GZIPOutputStream compressed = new FastGzip(page)) {
      writer.write(compressed, snapshots, escaping);
    }
  }

  /**
   * Level 1: the scraper is on the same machine or near, and the page waits for the compression.
   */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 8192);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}

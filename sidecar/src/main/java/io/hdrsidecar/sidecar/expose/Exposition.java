package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
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
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Renders {@code /metrics}: the series of the store and the sidecar's own metrics on one page, in
 * the format the scraper prefers.
 *
 * <p>The series are written by {@link SeriesPages}, since there may be ten thousand of them; what
 * the sidecar tells about itself is written by the Prometheus client.
 *
 * <p>Created timestamps are told in protobuf and OpenMetrics; the older text format has no place
 * for them. Samples carry no timestamps, which would switch off Prometheus' staleness marking.
 *
 * <p>{@link #render} costs time in proportion to the series and blocks other callers meanwhile:
 * call it on a worker thread. The garbage of a scrape is the page, its numbers with a decimal point
 * as strings, and the client's snapshots of the sidecar's own metrics.
 */
public final class Exposition {
  /** What decides how series are spelled. */
  private record Spelling(Class<?> writer, boolean dotsEscaped) {}

  /** So long the encoded labels of a format that nobody asks for any more are kept. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final SeriesStore store;
  private final PrometheusRegistry own;
  private final ScrapeMeters meters;
  private final ExpositionFormats formats =
      ExpositionFormats.init(PrometheusProperties.builder().build());
  private final ExpositionFormatWriter openMetrics =
      OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(true).build();
  private final Map<Spelling, SeriesPages> series = new HashMap<>();
  private final PageBytes page = new PageBytes();
  private ExposeConfig config;

  /**
   * An exposition of a store and a registry.
   *
   * @param own the sidecar's own metrics; those about scrapes are added to it
   */
  public Exposition(ExposeConfig config, SeriesStore store, PrometheusMeterRegistry own) {
    this.config = config;
    this.store = store;
    this.own = own.getPrometheusRegistry();
    this.meters = new ScrapeMeters(own);
  }

  /** Shows series in another way from the next page on. Any thread. */
  public synchronized void use(ExposeConfig newConfig) {
    config = newConfig;
    series.clear();
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
    series.values().removeIf(pages -> pages.isUnusedSince(start - KEPT_NANOS));
    page.clear();
    MetricSnapshots ofSidecar = own.scrape();
    seriesPages(writer, escaping).writeTo(page, names(ofSidecar));
    writer.write(page.asStream(), ofSidecar, escaping); // also ends a page of OpenMetrics
    List<Buffer> chunks = gzip ? compressed(page.take()) : page.take();
    Page rendered = new Page(chunks, writer.getContentType() + escaping.toHeaderFormat(), gzip);
    meters.finished(System.nanoTime() - start, rendered.length());
    return rendered;
  }

  private ExpositionFormatWriter writerFor(@Nullable String accept) {
    for (String ranges : AcceptHeader.byWeight(accept)) {
      ExpositionFormatWriter writer = formats.findWriter(ranges);
      if (writer instanceof PrometheusProtobufWriter) {
        return writer;
      }
      if (writer instanceof OpenMetricsTextFormatWriter) {
        return openMetrics;
      }
      if (AcceptHeader.takesText(ranges)) {
        return formats.getPrometheusTextFormatWriter();
      }
    }
    return formats.getPrometheusTextFormatWriter();
  }

  private static Set<String> names(MetricSnapshots snapshots) {
    Set<String> names = new HashSet<>();
    for (MetricSnapshot snapshot : snapshots) {
      names.add(snapshot.getMetadata().getPrometheusName());
    }
    return names;
  }

  /**
   * Of all schemes of escaping only one touches our names, which are those Prometheus has always
   * had: that for dots, which doubles underscores.
   */
  private SeriesPages seriesPages(ExpositionFormatWriter writer, EscapingScheme escaping) {
    Spelling spelling = new Spelling(writer.getClass(), escaping == EscapingScheme.DOTS_ESCAPING);
    return series.computeIfAbsent(
        spelling,
        s ->
            new SeriesPages(
                config,
                store,
                meters,
                formatOf(writer),
                name -> PrometheusNaming.escapeName(name, escaping)));
  }

  private SeriesFormat formatOf(ExpositionFormatWriter writer) {
    List<WindowSpec> windows = store.windows();
    if (writer instanceof PrometheusProtobufWriter) {
      return new ProtobufFormat(config, windows);
    }
    return new TextFormat(writer == openMetrics, config, windows);
  }

  private static List<Buffer> compressed(List<Buffer> chunks) throws IOException {
    PageBytes out = new PageBytes();
    try (GZIPOutputStream gzip = new FastGzip(out)) {
      for (Buffer chunk : chunks) {
        gzip.write(chunk.getBytes());
      }
    }
    return out.take();
  }

  /**
   * Level 1: the scraper is on the same machine or near, and the page waits for the compression.
   */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(PageBytes out) throws IOException {
      super(out.asStream(), 8192);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}

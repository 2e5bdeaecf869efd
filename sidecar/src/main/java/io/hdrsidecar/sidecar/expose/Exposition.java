package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.config.PrometheusProperties;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
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
import java.util.function.UnaryOperator;
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
 * <p>A page is written in pieces, each when there is room to send it, so that a page that is being
 * sent costs a piece and not the page; each piece shows its series as of the moment it is written.
 * {@link #write} blocks other callers meanwhile: call it on a worker thread. Its garbage is the
 * piece, its numbers with a decimal point as strings, and the client's snapshots of the sidecar's
 * own metrics.
 */
public final class Exposition {
  /** The traits that decide how series are spelled. */
  private record SpellingTraits(Class<?> writer, boolean dotsEscaped) {
    /** Both formats of text write labels alike. */
    boolean hasLabelsOf(SpellingTraits other) {
      return dotsEscaped == other.dotsEscaped && isProtobuf() == other.isProtobuf();
    }

    private boolean isProtobuf() {
      return writer == PrometheusProtobufWriter.class;
    }
  }

  /** So long the encoded labels of a format that nobody asks for any more are kept. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(15);

  /**
   * So many spellings of labels are kept encoded: that of protobuf, and that of text. The memory of
   * each series is reckoned with as many.
   */
  private static final int MOST_KEPT = 2;

  private final SeriesStore store;
  private final MetricRegistry own;
  private final ScrapeMeters meters;
  private final ExpositionFormats formats =
      ExpositionFormats.init(PrometheusProperties.builder().build());
  private final ExpositionFormatWriter openMetrics =
      OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(true).build();
  private final Map<SpellingTraits, SeriesPages> series = new HashMap<>();
  private final PageBytes page = new PageBytes();
  private final GzipPieces gzip = new GzipPieces();
  private Set<String> ownNames = Set.of();
  private ExposeConfig config;

  /**
   * An exposition of a store and a registry.
   *
   * @param own the sidecar's own metrics; those about scrapes are added to it
   */
  public Exposition(ExposeConfig config, SeriesStore store, MetricRegistry own) {
    this.config = config;
    this.store = store;
    this.own = own;
    this.meters = new ScrapeMeters(own);
  }

  /** Shows series in another way from the next page on. Any thread. */
  public synchronized void use(ExposeConfig newConfig) {
    config = newConfig;
    series.clear();
  }

  /** How to write for a scraper that asks with this. Any thread. */
  public PageFormat format(@Nullable String accept, boolean gzip) {
    return new PageFormat(writerFor(accept), EscapingScheme.fromAcceptHeader(accept), gzip);
  }

  /** The beginning of a page, as of now. Any thread, one at a time. */
  public synchronized PagePlace begin(PageFormat format) {
    long start = System.nanoTime();
    series.values().removeIf(pages -> pages.isUnusedSince(start - KEPT_NANOS));
    if (ownNames.isEmpty()) {
      ownNames = names(own.scrape());
    }
    SeriesPages pages = seriesPages(format.writer(), format.escaping());
    SeriesPages.Index index = pages.gather();
    long nanos = System.nanoTime() - start;
    return new PagePlace(
        format,
        pages,
        index,
        SeriesPlace.START,
        ownNames,
        pages.labels().newest(),
        GzipSum.EMPTY,
        nanos,
        0);
  }

  /**
   * Writes on, series as of now, some 64 KiB or one series; the sidecar's own metrics come last, in
   * one. The same place may be gone on from more than once. Any thread, one at a time.
   */
  public synchronized PageChunk write(PagePlace from) throws IOException {
    long start = System.nanoTime();
    page.clear();
    SeriesPlace next = from.series().write(from, page);
    if (next == null) {
      writeOwn(from.format());
    }
    List<Buffer> plain = page.take();
    GzipSum sum = GzipSum.EMPTY;
    List<Buffer> sent = plain;
    if (from.format().gzip()) {
      sum = from.sum().then(GzipPieces.sumOf(plain));
      boolean first = from.sum().equals(GzipSum.EMPTY);
      sent = gzip.compressed(plain, first, sum, next == null);
    }
    long bytes = sent.stream().mapToLong(Buffer::length).sum();
    PagePlace after =
        from.movedTo(next == null ? from.place() : next, sum, System.nanoTime() - start, bytes);
    if (next == null) {
      meters.finished(after.writtenNanos(), after.sentBytes());
    }
    return new PageChunk(sent, after, next == null);
  }

  /** Also ends a page of OpenMetrics. */
  private void writeOwn(PageFormat format) throws IOException {
    MetricSnapshots ofSidecar = own.scrape();
    ownNames = names(ofSidecar);
    format.writer().write(page.asStream(), ofSidecar, format.escaping());
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
    SpellingTraits spelling =
        new SpellingTraits(writer.getClass(), escaping == EscapingScheme.DOTS_ESCAPING);
    return series.computeIfAbsent(
        spelling,
        s -> {
          SeriesFormat format = formatOf(writer);
          UnaryOperator<String> escaped = name -> PrometheusNaming.escapeName(name, escaping);
          SeriesLabels labels = labels(spelling, format, escaped);
          return new SeriesPages(config, store, meters, format, escaped, labels);
        });
  }

  private SeriesLabels labels(
      SpellingTraits spelling, SeriesFormat format, UnaryOperator<String> escaped) {
    for (Map.Entry<SpellingTraits, SeriesPages> other : series.entrySet()) {
      if (other.getKey().hasLabelsOf(spelling)) {
        return other.getValue().labels();
      }
    }
    long kept =
        series.values().stream()
            .map(SeriesPages::labels)
            .filter(SeriesLabels::areKept)
            .distinct()
            .count();
    return new SeriesLabels(
        (name, value, out) -> format.putLabel(escaped.apply(name), value, out), kept < MOST_KEPT);
  }

  private SeriesFormat formatOf(ExpositionFormatWriter writer) {
    List<WindowSpec> windows = store.windows();
    if (writer instanceof PrometheusProtobufWriter) {
      return new ProtobufFormat(config, windows);
    }
    return new TextFormat(writer == openMetrics, config, windows);
  }
}

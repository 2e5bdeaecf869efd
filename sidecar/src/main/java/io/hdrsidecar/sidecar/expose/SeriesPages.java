package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

/**
 * Writes the store's series in one format, straight from their counts into the bytes of the page.
 *
 * <p>Each series is read once for its histogram and once per window, in the ranges the page shows.
 * Names, labels and edges are encoded once and kept from scrape to scrape: about twice the length
 * of a series' labels. A series that cannot be shown is left out and counted; the page goes on
 * without it. One thread at a time.
 */
final class SeriesPages {
  private final SeriesStore store;
  private final ScrapeMeters meters;
  private final SeriesFormat format;
  private final UnaryOperator<String> escaping;
  private final Quantiles quantiles;
  private final HistogramReading reading;

  /** Weak: a series that has ended must not keep its counts until somebody scrapes again. */
  private final Map<Series, EncodedLabels> labels = new WeakHashMap<>();

  private final Map<String, Family> families = new TreeMap<>();
  private long lastUsedNanos = System.nanoTime();

  /**
   * Pages of a store.
   *
   * @param escaping of metric and label names, as the scraper wants them
   */
  SeriesPages(
      ExposeConfig config,
      SeriesStore store,
      ScrapeMeters meters,
      SeriesFormat format,
      UnaryOperator<String> escaping) {
    this.store = store;
    this.meters = meters;
    this.format = format;
    this.escaping = escaping;
    this.quantiles = new Quantiles(config.quantiles());
    this.reading = new HistogramReading(config, format.hasNative());
  }

  /**
   * Writes all series as of now.
   *
   * @param taken names of other metrics on the page
   */
  void writeTo(PageBytes page, Set<String> taken) {
    lastUsedNanos = System.nanoTime();
    gather();
    for (Family family : families.values()) {
      if (family.hasNameIn(taken)) {
        meters.seriesFailed(
            family.text().cumulative(),
            new IllegalArgumentException("the sidecar has a metric of this name itself"));
      } else {
        writeHistograms(family, page);
        writeQuantiles(family, page);
      }
      family.series().clear();
    }
  }

  /** Whether the last page is older than this time of {@link System#nanoTime}. */
  boolean isUnusedSince(long nanos) {
    return lastUsedNanos - nanos < 0;
  }

  /** Sorts the series of the moment by name, and forgets names that are gone. */
  private void gather() {
    for (Series series : store.livingSeries()) {
      families
          .computeIfAbsent(series.metricNames().cumulative(), name -> family(series))
          .series()
          .add(new SeriesView(series, labels.computeIfAbsent(series, this::encoded)));
    }
    families.values().removeIf(family -> family.series().isEmpty());
  }

  private EncodedLabels encoded(Series series) {
    EncodedLabels.Spelling spelling =
        (name, value, out) -> format.putLabel(escaping.apply(name), value, out);
    return new EncodedLabels(series.key().labels(), spelling);
  }

  private Family family(Series series) {
    FamilyText text = FamilyText.of(series, escaping);
    return new Family(text, format.family(text));
  }

  private void writeHistograms(Family family, PageBytes page) {
    boolean begun = false;
    for (SeriesView view : family.series()) {
      try {
        reading.readFrom(view.series());
        if (!begun) {
          family.writer().beginHistograms(page);
          page.commit();
          begun = true;
        }
        family.writer().histogram(view.labels(), reading, page.bytes());
        page.commit();
      } catch (RuntimeException e) {
        page.rollBack();
        meters.seriesFailed(view.series().key().toString(), e);
      }
    }
    if (begun) {
      family.writer().endHistograms(page);
    }
  }

  private void writeQuantiles(Family family, PageBytes page) {
    if (quantiles.size() == 0) {
      return;
    }
    boolean begun = false;
    for (SeriesView view : family.series()) {
      try {
        for (int window = 0; window < store.windows().size(); window++) {
          if (quantiles.readFrom(view.series(), window)) {
            if (!begun) {
              family.writer().beginQuantiles(page);
              page.commit();
              begun = true;
            }
            writeQuantiles(view, window, family.writer(), page);
          }
        }
      } catch (RuntimeException e) {
        page.rollBack();
        meters.seriesFailed(view.series().key().toString(), e);
      }
    }
    if (begun) {
      family.writer().endQuantiles(page);
    }
  }

  private void writeQuantiles(SeriesView view, int window, FamilyWriter writer, PageBytes page) {
    for (int q = 0; q < quantiles.size(); q++) {
      double value = view.series().unit().toBaseUnit((double) quantiles.valueAt(q));
      writer.quantile(view.labels(), q, window, value, page.bytes());
    }
    page.commit();
  }
}

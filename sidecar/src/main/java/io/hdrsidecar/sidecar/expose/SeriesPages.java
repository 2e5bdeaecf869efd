package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the store's series in one format, straight from their counts into the bytes of the page, a
 * piece at a time.
 *
 * <p>Each series is read once for its histogram and once per window, in the ranges the page shows.
 * Names and edges are encoded once and kept while pages need them, labels as {@link SeriesLabels}
 * keeps them. A series that cannot be shown is left out and counted; the page goes on without it.
 * One thread at a time.
 */
final class SeriesPages {
  /**
   * The series in the order of pages, shared by all that are being written. Weakly held here, since
   * a series that has ended must not keep its counts until somebody scrapes again.
   */
  static final class Index {
    private NavigableMap<String, Family> families = new TreeMap<>();
  }

  private final SeriesStore store;
  private final ScrapeMeters meters;
  private final SeriesFormat format;
  private final UnaryOperator<String> escaping;
  private final SeriesLabels labels;
  private final Quantiles quantiles;
  private final HistogramReading reading;
  private WeakReference<@Nullable Index> index = new WeakReference<>(null);
  private long lastUsedNanos = System.nanoTime();

  /**
   * Pages of a store.
   *
   * @param escaping of metric and label names, as the scraper wants them
   * @param labels as this format writes them; other formats may share them
   */
  SeriesPages(
      ExposeConfig config,
      SeriesStore store,
      ScrapeMeters meters,
      SeriesFormat format,
      UnaryOperator<String> escaping,
      SeriesLabels labels) {
    this.labels = labels;
    this.store = store;
    this.meters = meters;
    this.format = format;
    this.escaping = escaping;
    this.quantiles = new Quantiles(config.quantiles());
    this.reading = new HistogramReading(config, format.hasNative());
  }

  /** Whether the last page is older than this time of {@link System#nanoTime}. */
  boolean isUnusedSince(long nanos) {
    return lastUsedNanos - nanos < 0;
  }

  /** The series of the moment by name, also for pages that are being written already. */
  Index gather() {
    lastUsedNanos = System.nanoTime();
    Index shared = index.get();
    if (shared == null) {
      shared = new Index();
      index = new WeakReference<>(shared);
    }
    NavigableMap<String, Family> families = new TreeMap<>();
    for (Series series : store.livingSeries()) {
      String name = series.metricNames().cumulative();
      families.computeIfAbsent(name, n -> family(series)).add(labels.view(series));
    }
    families.values().forEach(Family::sort);
    shared.families = families;
    return shared;
  }

  SeriesLabels labels() {
    return labels;
  }

  private Family family(Series series) {
    FamilyText text = FamilyText.of(series, escaping);
    return new Family(text, format.family(text));
  }

  /**
   * Writes series as of now, until the piece is full or all are written.
   *
   * @return where to go on; null when all are written
   */
  @Nullable SeriesPlace write(PagePlace page, PageBytes out) {
    SeriesPlace start = page.place();
    for (Map.Entry<String, Family> entry :
        page.index().families.tailMap(start.family(), true).entrySet()) {
      String name = entry.getKey();
      SeriesPlace place = name.equals(start.family()) ? start : SeriesPlace.startOf(name);
      SeriesPlace full = write(entry.getValue(), place, page, out);
      if (full != null) {
        return full;
      }
    }
    return null;
  }

  private @Nullable SeriesPlace write(
      Family family, SeriesPlace place, PagePlace page, PageBytes out) {
    if (family.hasNameIn(page.taken())) {
      meters.seriesFailed(
          family.text().cumulative(),
          new IllegalArgumentException("the sidecar has a metric of this name itself"));
      return null;
    }
    SeriesPlace quantilesFrom = place;
    if (!place.quantiles()) {
      SeriesPlace full = writeHistograms(family, place, page.newest(), out);
      if (full != null) {
        return full;
      }
      quantilesFrom = place.quantilesBegin();
    }
    return quantiles.size() == 0 ? null : writeQuantiles(family, quantilesFrom, page.newest(), out);
  }

  private @Nullable SeriesPlace writeHistograms(
      Family family, SeriesPlace place, long newest, PageBytes out) {
    boolean headed = place.headed();
    boolean begun = false;
    SeriesPlace full = null;
    for (SeriesView view : family.between(place.after(), newest)) {
      try {
        reading.readFrom(view.series());
        if (!begun) {
          family.writer().beginHistograms(out, headed);
          out.commit();
          begun = true;
          headed = true;
        }
        family.writer().histogram(labels.of(view), reading, out.bytes());
        out.commit();
      } catch (RuntimeException e) {
        out.rollBack();
        meters.seriesFailed(view.series().key().toString(), e);
      }
      if (out.isFull()) {
        full = place.behind(view.labels().number(), headed);
        break;
      }
    }
    if (begun) {
      family.writer().endHistograms(out);
    }
    return full;
  }

  private @Nullable SeriesPlace writeQuantiles(
      Family family, SeriesPlace place, long newest, PageBytes out) {
    boolean headed = place.headed();
    boolean begun = false;
    SeriesPlace full = null;
    for (SeriesView view : family.between(place.after(), newest)) {
      try {
        for (int window = 0; window < store.windows().size(); window++) {
          if (quantiles.readFrom(view.series(), window)) {
            if (!begun) {
              family.writer().beginQuantiles(out, headed);
              out.commit();
              begun = true;
              headed = true;
            }
            writeQuantiles(view, window, family.writer(), out);
          }
        }
      } catch (RuntimeException e) {
        out.rollBack();
        meters.seriesFailed(view.series().key().toString(), e);
      }
      if (out.isFull()) {
        full = place.behind(view.labels().number(), headed);
        break;
      }
    }
    if (begun) {
      family.writer().endQuantiles(out);
    }
    return full;
  }

  private void writeQuantiles(SeriesView view, int window, FamilyWriter writer, PageBytes page) {
    EncodedLabels encoded = labels.of(view);
    for (int q = 0; q < quantiles.size(); q++) {
      long known = quantiles.valueAt(q); // The largest number: a bucket without an upper bound.
      double value =
          known == Long.MAX_VALUE
              ? Double.POSITIVE_INFINITY
              : view.series().unit().toBaseUnit((double) known);
      writer.quantile(encoded, q, window, value, page.bytes());
    }
    page.commit();
  }
}

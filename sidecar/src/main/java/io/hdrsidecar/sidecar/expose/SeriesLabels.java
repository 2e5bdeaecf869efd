package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The labels of all series in one spelling, encoded once and kept from scrape to scrape for the
 * formats that spell them alike; or only the series' places, where others keep as many bytes as the
 * memory of a series has room for. Series are weakly held. One thread at a time.
 */
final class SeriesLabels {
  private final EncodedLabels.Spelling spelling;
  private final boolean kept;
  private final Map<Series, EncodedLabels> labels = new WeakHashMap<>();
  private long nextNumber;

  SeriesLabels(EncodedLabels.Spelling spelling, boolean kept) {
    this.spelling = spelling;
    this.kept = kept;
  }

  /** Whether the bytes are kept, too. */
  boolean areKept() {
    return kept;
  }

  /** A series with its place on pages, and its labels if they are kept. */
  SeriesView view(Series series) {
    return new SeriesView(series, labels.computeIfAbsent(series, this::encoded));
  }

  private EncodedLabels encoded(Series series) {
    long number = nextNumber++;
    return kept
        ? new EncodedLabels(series.key().labels(), spelling, number)
        : new EncodedLabels(number);
  }

  /** Its labels, encoded now if they are not kept. */
  EncodedLabels of(SeriesView view) {
    EncodedLabels labelsOrPlace = view.labels();
    return labelsOrPlace.isPlaceOnly()
        ? new EncodedLabels(view.series().key().labels(), spelling, labelsOrPlace.number())
        : labelsOrPlace;
  }

  /** Number of the newest series; those to come have higher ones. */
  long newest() {
    return nextNumber - 1;
  }
}

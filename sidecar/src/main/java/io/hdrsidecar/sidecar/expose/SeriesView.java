package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;

/** A series and its labels as one format writes them. */
final class SeriesView {
  private final Series series;
  private final EncodedLabels labels;
  private long seenInScrape;

  SeriesView(Series series, EncodedLabels labels) {
    this.series = series;
    this.labels = labels;
  }

  Series series() {
    return series;
  }

  EncodedLabels labels() {
    return labels;
  }

  void markSeen(long scrape) {
    seenInScrape = scrape;
  }

  boolean wasSeen(long scrape) {
    return seenInScrape == scrape;
  }
}

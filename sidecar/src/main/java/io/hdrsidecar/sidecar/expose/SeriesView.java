package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;

/** What of a series stays the same from scrape to scrape: its labels, as the client wants them. */
final class SeriesView {
  private final Labels labels;
  private final Labels[][] windowLabels;
  private long seenInScrape;

  SeriesView(Series series, List<WindowSpec> windows, Quantiles quantiles) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    series
        .key()
        .labels()
        .forEach(
            (name, value) -> {
              names.add(name);
              values.add(value);
            });
    labels = Labels.of(names, values);
    windowLabels = new Labels[windows.size()][quantiles.size()];
    for (int w = 0; w < windows.size(); w++) {
      for (int q = 0; q < quantiles.size(); q++) {
        windowLabels[w][q] =
            labels.add("quantile", quantiles.labelAt(q)).add("window", windows.get(w).name());
      }
    }
  }

  Labels labels() {
    return labels;
  }

  Labels windowLabels(int window, int quantile) {
    return windowLabels[window][quantile];
  }

  void markSeen(long scrape) {
    seenInScrape = scrape;
  }

  boolean wasSeen(long scrape) {
    return seenInScrape == scrape;
  }
}

package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.JournalFileWriter;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.HashMap;
import java.util.Map;

/** The series that live, as the journal writes them. Merge context. */
final class LoggedSeries {
  private final Map<Series, Map<BucketLayout, JournalSeries>> living = new HashMap<>();
  private volatile long livingBytes;

  /** A series of the store as it is written. */
  static JournalSeries of(Series series, BucketLayout layout, long highestTrackableValue) {
    return new JournalSeries(
        new SeriesText(
            new SeriesDefinition(
                series.key(), series.unit(), series.help(), layout, highestTrackableValue),
            series.createdAt()));
  }

  /** The same, kept until the series ends. */
  JournalSeries living(Series series, BucketLayout layout, long highestTrackableValue) {
    return living
        .computeIfAbsent(series, key -> new HashMap<>())
        .computeIfAbsent(layout, key -> noted(of(series, layout, highestTrackableValue)));
  }

  private JournalSeries noted(JournalSeries begun) {
    live(JournalFileWriter.definedBytes(begun));
    return begun;
  }

  /** Forgets a series. One of which nothing was merged since this start can be named, too. */
  JournalSeries ended(Series series) {
    Map<BucketLayout, JournalSeries> texts = living.remove(series);
    if (texts == null) {
      BucketLayout layout = series.layouts().get(0);
      return of(series, layout, layout.leastHighestValue());
    }
    texts.values().forEach(text -> live(-JournalFileWriter.definedBytes(text)));
    return texts.values().iterator().next();
  }

  /** The only one that writes it. */
  private void live(long moreBytes) {
    long bytes = livingBytes + moreBytes;
    livingBytes = bytes;
  }

  /** Definitions of the series that live, as a file remembers them. Any thread. */
  long livingBytes() {
    return livingBytes;
  }
}

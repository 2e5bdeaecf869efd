package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.merge.Series;

/** From a series of the store to what the journal writes of it. */
final class LoggedSeries {
  private LoggedSeries() {}

  static JournalSeries of(Series series, BucketLayout layout, long highestTrackableValue) {
    return new JournalSeries(
        new SeriesText(
            new SeriesDefinition(
                series.key(), series.unit(), series.help(), layout, highestTrackableValue),
            series.createdAt()));
  }
}

package io.hdrsidecar.sidecar.log;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import java.nio.charset.StandardCharsets;

/** A series in one layout, as lines of the journal need it. Immutable. */
final class JournalSeries {
  private final SeriesText text;
  private final byte[] linePrefix;

  JournalSeries(Series series, BucketLayout layout, long highestTrackableValue) {
    text =
        new SeriesText(
            new SeriesDefinition(
                series.key(), series.unit(), series.help(), layout, highestTrackableValue),
            series.createdAt());
    linePrefix = ("Tag=" + text.tag() + ",").getBytes(StandardCharsets.US_ASCII);
  }

  SeriesText text() {
    return text;
  }

  Unit unit() {
    return text.definition().unit();
  }

  /** What each of its lines begins with. */
  byte[] linePrefix() {
    return linePrefix;
  }
}

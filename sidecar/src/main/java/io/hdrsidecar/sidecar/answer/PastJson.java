package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.query.Correction;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.vertx.core.json.JsonObject;

/** What answers say of the series and of the time that they are about. */
final class PastJson {
  private PastJson() {}

  /** How an answer about a range begins: which series, and which time it is about. */
  static JsonObject head(PastCounts past) {
    return new JsonObject()
        .put("series", names(past.selection()))
        .put("unit", past.selection().unit().symbol())
        .put("range", range(past.asked()))
        .put("covered", coverage(past));
  }

  /** Names and labels as an array of text. */
  static JsonPart names(SeriesSelection selection) {
    return json -> {
      json.beginArray();
      for (SeriesKey key : selection.keys()) {
        json.write(key.toString());
      }
      json.endArray();
    };
  }

  static JsonObject range(TimeRange range) {
    return between(range.startMillis(), range.endMillis());
  }

  /** Two times. */
  static JsonObject between(long startMillis, long endMillis) {
    return new JsonObject()
        .put("start", TimeRange.text(startMillis))
        .put("end", TimeRange.text(endMillis));
  }

  /** What the answer is about, and how finely. */
  static JsonObject coverage(PastCounts past) {
    HistoryRange covered = past.covered();
    boolean empty = past.intervals().isEmpty();
    return new JsonObject()
        .put("start", empty ? null : TimeRange.text(covered.fromMillis()))
        .put("end", empty ? null : TimeRange.text(covered.toMillis()))
        .put("intervals", covered.intervals())
        .put("resolutionSeconds", covered.longestMillis() / 1000.0);
  }

  /** What was added back so far. */
  static JsonObject corrected(Correction correction) {
    return new JsonObject()
        .put("by", "expected_interval")
        .put(Correction.PARAMETER, correction.interval())
        .put("added", correction.added());
  }
}

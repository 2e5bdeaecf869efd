package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * A range of time in a few steps of equal length, for a small picture: greatest value and count of
 * each.
 *
 * @param range all of it
 * @param stepMillis length of a step; the last one may reach beyond the range
 */
record SparkLine(TimeRange range, long stepMillis) {
  /** Divides a range into at most so many steps, of whole milliseconds. */
  static SparkLine of(TimeRange range, int points) {
    return new SparkLine(range, stepMillis(range.endMillis() - range.startMillis(), points));
  }

  /**
   * The last steps of this length: so many that they last about {@code lengthMillis}, up to the end
   * of the step that {@code now} lies in. A later answer has the same steps, moved on by whole
   * ones.
   */
  static SparkLine endingAt(long nowMillis, long lengthMillis, int points) {
    long step = stepMillis(lengthMillis, points);
    long end = (Math.floorDiv(nowMillis, step) + 1) * step;
    return new SparkLine(new TimeRange(end - points * step, end), step);
  }

  private static long stepMillis(long lengthMillis, int points) {
    return Math.max(1, (lengthMillis + points - 1) / points);
  }

  int steps() {
    return (int) ((range.endMillis() - range.startMillis() + stepMillis - 1) / stepMillis);
  }

  /**
   * The line of what was counted, each interval in the step that its middle lies in, or in the
   * first or last one: as all answers have it, see {@link PastCounts#bySteps}. Those in memory need
   * not be read for it.
   *
   * @throws QueryException when counts add up to too much
   */
  JsonObject json(PastCounts past) throws QueryException {
    long[] counts = new long[steps()];
    long[] maxima = new long[steps()];
    for (PastInterval each : past.intervals()) {
      int step = stepOf(each.middleMillis());
      if (each instanceof KeptInterval kept) {
        add(step, kept.count(), kept.max(), counts, maxima);
      } else {
        Distribution one = past.sum(List.of(each));
        add(step, one.count(), one.count() == 0 ? 0 : one.max(), counts, maxima);
      }
    }
    JsonArray count = new JsonArray();
    JsonArray max = new JsonArray();
    for (int i = 0; i < counts.length; i++) {
      count.add(counts[i]);
      max.add(counts[i] == 0 ? null : maxima[i]);
    }
    return new JsonObject()
        .put("start", TimeRange.text(range.startMillis()))
        .put("stepSeconds", stepMillis / 1000.0)
        .put("max", max)
        .put("count", count);
  }

  private static void add(int step, long count, long max, long[] counts, long[] maxima) {
    long sum = counts[step] + count;
    counts[step] = sum < 0 ? Long.MAX_VALUE : sum;
    maxima[step] = Math.max(maxima[step], max);
  }

  private int stepOf(long millis) {
    long within = Math.min(Math.max(millis, range.startMillis()), range.endMillis() - 1);
    return (int) ((within - range.startMillis()) / stepMillis);
  }
}

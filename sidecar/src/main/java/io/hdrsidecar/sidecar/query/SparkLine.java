package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.history.KeptInterval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * A range of time in a few steps of equal length, for a small picture: greatest value and count of
 * each. It needs the figures of the intervals only, not their buckets.
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
   * The line of these intervals, each in the step that its middle lies in, or in the first or last
   * one: as all answers have it, see {@link PastCounts#bySteps}.
   */
  JsonObject json(List<KeptInterval> intervals) {
    long[] counts = new long[steps()];
    long[] maxima = new long[steps()];
    for (KeptInterval each : intervals) {
      int step = stepOf(each.middleMillis());
      long sum = counts[step] + each.count();
      counts[step] = sum < 0 ? Long.MAX_VALUE : sum;
      maxima[step] = Math.max(maxima[step], each.max());
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

  private int stepOf(long millis) {
    long within = Math.min(Math.max(millis, range.startMillis()), range.endMillis() - 1);
    return (int) ((within - range.startMillis()) / stepMillis);
  }
}

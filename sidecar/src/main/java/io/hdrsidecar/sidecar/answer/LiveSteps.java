package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one query, one after the other, as {@code GET /api/v1/live} sends them.
 *
 * <p>A step has the intervals whose middle lies in it, as everywhere. The last of them ends half
 * its length after the step and then takes a moment to arrive; so a step is complete {@link
 * #ARRIVAL} after that, by the length of the longest interval of the last minutes, at most a
 * minute. Each step is read once, when it is complete: what arrives later, or is longer, is in
 * answers about the past only.
 *
 * <p>One thread at a time, but {@link #completeAt} may be asked by any.
 */
public final class LiveSteps {
  /** How long intervals may take to arrive. */
  static final Duration ARRIVAL = Duration.ofSeconds(2);

  private static final long LONGEST_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final long LOOK_BACK_MILLIS = Duration.ofMinutes(2).toMillis();
  private static final long LOOK_AGAIN_MILLIS = Duration.ofSeconds(10).toMillis();
  private static final int BATCH_STEPS = 200;
  private static final int BATCH_CHARS = 64 * 1024;

  /**
   * A step, ready to be sent.
   *
   * @param startMillis its start
   * @param json one line
   */
  public record LiveStep(long startMillis, String json) {}

  /**
   * Some steps in a row; those without values are left out.
   *
   * @param steps in the order of time
   * @param untilMillis end of the last step looked at, which is where to go on
   * @param edges of the value buckets, one line; null while nothing was counted, or without buckets
   */
  public record StepBatch(List<LiveStep> steps, long untilMillis, @Nullable String edges) {}

  private final LiveQuery query;
  private final Selector selector;
  private @Nullable ValueEdges edges;
  private long lookedAtMillis = Long.MIN_VALUE;
  private volatile long waitMillis = ARRIVAL.toMillis();

  /**
   * Of this query.
   *
   * @throws QueryException when it cannot be answered: nothing matches, units differ, or there is
   *     no history
   */
  public LiveSteps(LiveQuery query, QueryScope scope) throws QueryException {
    this.query = query;
    this.selector = Selector.of("series", query.series());
    SeriesSelection selection = SeriesSelection.of("series", selector, scope);
    PastCounts.of(selection, new TimeRange(0, 1), scope); // Refused without a history
  }

  /** End of the last step that is complete. */
  public long completeAt(long nowMillis) {
    return query.startOf(nowMillis - waitMillis);
  }

  /**
   * Reads complete steps, a bounded number of them. O(series of the store, and buckets of the
   * intervals read).
   *
   * @param fromMillis start of the first
   * @param scope with a claim to what is read
   * @throws QueryException when what the selector matches must not be added up by now, or is too
   *     much
   */
  public StepBatch read(long fromMillis, long nowMillis, QueryScope scope) throws QueryException {
    List<Series> series = scope.select("series", selector);
    if (series.isEmpty()) { // They may begin again.
      return new StepBatch(List.of(), Math.max(fromMillis, completeAt(nowMillis)), edgesJson());
    }
    SeriesSelection selection = SeriesSelection.checked("series", series);
    look(selection, nowMillis, scope);
    long until = Math.min(completeAt(nowMillis), fromMillis + BATCH_STEPS * query.stepMillis());
    return until <= fromMillis
        ? new StepBatch(List.of(), fromMillis, edgesJson())
        : read(selection, fromMillis, until, scope);
  }

  private StepBatch read(
      SeriesSelection selection, long fromMillis, long untilMillis, QueryScope scope)
      throws QueryException {
    TimeRange range = new TimeRange(fromMillis, untilMillis);
    PastCounts past = PastCounts.of(selection, range, scope);
    List<LiveStep> steps = new ArrayList<>();
    int chars = 0;
    for (Map.Entry<Long, List<PastInterval>> step : past.byMiddle(query.stepMillis()).entrySet()) {
      String json = json(past, step.getKey(), step.getValue());
      scope.claim().grow(HeapShare.arrayCost(json.length()));
      steps.add(new LiveStep(step.getKey(), json));
      chars += json.length();
      if (chars > BATCH_CHARS) {
        return new StepBatch(steps, step.getKey() + query.stepMillis(), edgesJson());
      }
    }
    return new StepBatch(steps, untilMillis, edgesJson());
  }

  private String json(PastCounts past, long start, List<PastInterval> intervals)
      throws QueryException {
    Distribution counts = past.sum(intervals);
    JsonObject json =
        PercentilesAnswers.json(start, counts, query.percentiles())
            .put("resolutionSeconds", past.coveredBySum().longestMillis() / 1000.0)
            .put("recordedSeconds", PercentilesAnswers.recordedSeconds(intervals))
            .put("end", TimeRange.text(start + query.stepMillis()));
    if (query.buckets() > 0) {
      ValueEdges byValue = edges;
      if (byValue == null) {
        byValue = ValueEdges.between(counts.min(), counts.max(), query.buckets());
        edges = byValue;
      }
      JsonArray inBuckets = new JsonArray();
      Arrays.stream(byValue.counts(counts)).forEach(inBuckets::add);
      json.put("counts", inBuckets);
    }
    return json.encode();
  }

  /** Learns from the last minutes how long intervals are, and at first which values there are. */
  private void look(SeriesSelection selection, long nowMillis, QueryScope scope)
      throws QueryException {
    if (nowMillis - LOOK_AGAIN_MILLIS < lookedAtMillis) {
      return;
    }
    lookedAtMillis = nowMillis;
    TimeRange lastMinutes = new TimeRange(Math.max(0, nowMillis - LOOK_BACK_MILLIS), nowMillis);
    PastCounts past = PastCounts.of(selection, lastMinutes, scope);
    long longest = Math.min(past.covered().longestMillis(), LONGEST_MILLIS);
    waitMillis = ARRIVAL.toMillis() + longest / 2;
    if (query.buckets() > 0 && edges == null && !past.intervals().isEmpty()) {
      Distribution all = past.sum(past.intervals());
      edges = ValueEdges.between(all.min(), all.max(), query.buckets());
    }
  }

  private @Nullable String edgesJson() {
    ValueEdges known = edges;
    return known == null ? null : new JsonObject().put("edges", known.array()).encode();
  }
}

package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.SeriesDescription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * In the commit: what series of one partition have counted goes to their steps, and to the totals
 * that cannot wait. One thread.
 */
final class SeriesWriting {
  private final Totals totals;
  private final Steps steps;
  private final Descriptions descriptions;
  private final int maxLayouts;
  private final NodeCounters counters;

  SeriesWriting(
      Totals totals,
      Steps steps,
      Descriptions descriptions,
      int maxLayouts,
      NodeCounters counters) {
    this.totals = totals;
    this.steps = steps;
    this.descriptions = descriptions;
    this.maxLayouts = maxLayouts;
    this.counters = counters;
  }

  /**
   * Takes what a series has counted.
   *
   * @param noRoom is told how many values of a layout were left out, as there is no room for it
   * @return what was written; null when that is nothing
   */
  @Nullable MergedSeries write(PendingSeries each, long nowMillis, LongConsumer noRoom) {
    List<PendingStep> kept = new ArrayList<>();
    List<PendingStep> rest = new ArrayList<>();
    for (PendingStep step : each.take()) {
      (totals.countLater(each, step, nowMillis) ? kept : rest).add(step);
    }
    Bytes key = Bytes.wrap(each.key());
    boolean isNew = !rest.isEmpty() && writeTotal(each, rest, kept, nowMillis, noRoom);
    if (kept.isEmpty()) {
      return null;
    }
    kept.sort(Comparator.comparingLong(PendingStep::stepMillis));
    long created = kept.stream().mapToLong(step -> step.sum().createdMillis()).min().getAsLong();
    return new MergedSeries(each.series(), said(each, key), isNew, created, List.copyOf(kept));
  }

  private SeriesDescription said(PendingSeries of, Bytes key) {
    SeriesDescription said = of.said();
    if (said == null) {
      said = descriptions.of(key);
      of.said(descriptions.shared(said));
    }
    return said;
  }

  /** Adds steps to the total, which is written; says whether it is the first one. */
  private boolean writeTotal(
      PendingSeries each,
      List<PendingStep> rest,
      List<PendingStep> kept,
      long nowMillis,
      LongConsumer noRoom) {
    Totals.Total before = totals.whole(Bytes.wrap(each.key()));
    SeriesSum total = before == null ? new SeriesSum() : before.sum();
    boolean hasGrown = false;
    for (PendingStep step : rest) {
      long lost = step.sum().removeWhatHasNoRoomIn(total, maxLayouts);
      if (lost > 0) {
        noRoom.accept(lost);
      }
      if (!step.sum().isEmpty()) {
        total.add(step.sum());
        kept.add(step);
        hasGrown = true;
        if (!steps.add(each.series(), each.key(), step, nowMillis)) {
          counters.stepLeftOut();
        }
      }
    }
    if (hasGrown) {
      totals.write(each.key(), before, total, nowMillis);
    }
    return before == null;
  }
}

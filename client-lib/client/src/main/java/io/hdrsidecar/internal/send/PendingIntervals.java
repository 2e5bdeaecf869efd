package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.IntervalFrame;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Intervals that wait to be encoded: at most one per series, in the order in which the series began
 * to wait. A harvest of a series that waits already is added to what waits, so a long wait costs
 * time resolution and neither memory nor counts.
 *
 * <p>An interval longer than a recorder may go unharvested takes several harvests. What they moved
 * stays with its series, and does not wait yet, until the interval ends.
 */
public final class PendingIntervals {
  private static final int MAX_SPARE = 8;

  /** A spare with more memory than this was used by a series of unusual spread, and is let go. */
  private static final long MAX_SPARE_BYTES = 512 * 1024;

  private final SendTally tally;
  private final Queue<OutgoingSeries> queue = new ArrayDeque<>();
  private final Map<BucketLayout, ArrayDeque<Accumulation>> spares = new HashMap<>();
  private long values;

  public PendingIntervals(SendTally tally) {
    this.tally = tally;
  }

  /** Moves what was recorded since the last harvest of a series into its interval under way. */
  void gather(OutgoingSeries series) {
    Accumulation target = series.hasBegun() ? series.begun() : spare(series.definition().layout());
    long had = target.count();
    try {
      series.source().harvestInto(target);
    } finally {
      gathered(series, target, target.count() - had);
    }
  }

  private void gathered(OutgoingSeries series, Accumulation target, long moved) {
    values += moved;
    tally.add(ClientFigure.HARVESTED_VALUES, moved);
    if (!series.hasBegun()) {
      if (moved > 0) {
        series.begin(target);
      } else {
        keep(target);
      }
    }
  }

  /**
   * Ends the interval of a series: moves what was recorded since the last harvest, and what was
   * gathered before, into what waits of it.
   */
  void harvest(OutgoingSeries series, long startMillis, long endMillis) {
    if (!series.hasBegun()) {
      harvestWhole(series, startMillis, endMillis);
      return;
    }
    try {
      gather(series);
    } finally {
      endBegun(series, startMillis, endMillis);
    }
  }

  private void endBegun(OutgoingSeries series, long startMillis, long endMillis) {
    Accumulation ended = series.begun();
    if (series.isWaiting()) {
      series.waiting().add(ended);
      series.endBegun();
      series.extend(startMillis, endMillis);
      tally.count(ClientFigure.JOINED_INTERVALS);
      keep(ended);
    } else {
      series.endBegun();
      series.startWaiting(ended, startMillis, endMillis);
      queue.add(series);
    }
  }

  private void harvestWhole(OutgoingSeries series, long startMillis, long endMillis) {
    Accumulation target =
        series.isWaiting() ? series.waiting() : spare(series.definition().layout());
    long had = target.count();
    try {
      series.source().harvestInto(target);
    } finally {
      // Also when the harvest broke off: what it has moved is nowhere else.
      harvested(series, target, target.count() - had, startMillis, endMillis);
    }
  }

  private void harvested(
      OutgoingSeries series, Accumulation target, long moved, long startMillis, long endMillis) {
    values += moved;
    tally.add(ClientFigure.HARVESTED_VALUES, moved);
    if (series.isWaiting()) {
      if (moved > 0) {
        series.extend(startMillis, endMillis);
        tally.count(ClientFigure.JOINED_INTERVALS);
      }
    } else if (moved > 0) {
      series.startWaiting(target, startMillis, endMillis);
      queue.add(series);
    } else {
      keep(target);
    }
  }

  private Accumulation spare(BucketLayout layout) {
    ArrayDeque<Accumulation> ofLayout = spares.get(layout);
    Accumulation found = ofLayout == null ? null : ofLayout.pollLast();
    return found == null ? new Accumulation(layout) : found;
  }

  private void keep(Accumulation used) {
    used.clear();
    ArrayDeque<Accumulation> ofLayout =
        spares.computeIfAbsent(used.counts().layout(), absent -> new ArrayDeque<>());
    if (ofLayout.size() < MAX_SPARE && used.counts().allocatedBytes() <= MAX_SPARE_BYTES) {
      ofLayout.addLast(used);
    }
  }

  /** Adds an interval that was encoded, and not merged, to what waits of its series. */
  void putBack(OutgoingSeries series, SparseCounts counts, IntervalFrame figures) {
    Accumulation target =
        series.isWaiting() ? series.waiting() : spare(series.definition().layout());
    target.add(counts, figures.sumMinMax());
    target.offer(figures.exemplar());
    values += counts.total();
    if (series.isWaiting()) {
      series.extend(figures.startMillis(), figures.endMillis());
    } else {
      series.startWaiting(target, figures.startMillis(), figures.endMillis());
      queue.add(series);
    }
  }

  public boolean isEmpty() {
    return queue.isEmpty();
  }

  int size() {
    return queue.size();
  }

  /** Values in all that waits. */
  public long values() {
    return values;
  }

  /** The series that waits longest; there must be one. */
  OutgoingSeries first() {
    return queue.element();
  }

  /** The series that wait, in the order in which they would be sent. */
  public Collection<OutgoingSeries> waiting() {
    return Collections.unmodifiableCollection(queue);
  }

  /** What waited of the first series is elsewhere now: forgets it. */
  void removeFirst() {
    OutgoingSeries series = queue.remove();
    Accumulation counts = series.waiting();
    values -= counts.count();
    series.stopWaiting();
    keep(counts);
  }

  /** Lets the next series go first, when this one could not be encoded. */
  void moveFirstToEnd() {
    queue.add(queue.remove());
  }

  /** Forgets all that waits. */
  public void discard() {
    while (!queue.isEmpty()) {
      removeFirst();
    }
  }
}

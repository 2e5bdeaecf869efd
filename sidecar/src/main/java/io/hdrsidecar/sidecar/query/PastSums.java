package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.reading.BoundNotes;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Adds up past intervals, and notes which of them cannot be read. One thread at a time. */
final class PastSums {
  private static final int LOOK_EVERY = 512;

  /** What adding up takes; for several that add up one after the other. */
  record Adding(IntervalSum sums, CountsClaim claim, QueryTurn turn) {
    static Adding of(QueryScope scope) {
      return new Adding(new IntervalSum(), new CountsClaim(scope.claim()), scope.turn());
    }
  }

  private final Adding adding;
  private int looked;
  private final Set<BucketLayout> layouts = new HashSet<>();
  private final BoundNotes notes = new BoundNotes();
  private final Set<PastInterval> unreadable = Collections.newSetFromMap(new IdentityHashMap<>());
  private String whyUnreadable = "";

  PastSums(Adding adding) {
    this.adding = adding;
  }

  /** Replaces the contents of {@code into} by the sum. O(non-zero buckets of the intervals). */
  void addUp(List<PastInterval> some, Distribution into) throws QueryException {
    LayoutSums counts = adding.sums().counts();
    CountsClaim claim = adding.claim();
    adding.sums().clear();
    into.clear();
    try {
      for (PastInterval each : some) {
        if (looked++ % LOOK_EVERY == 0) {
          adding.turn().look();
        }
        add(each);
        claim.holds(adding.sums().allocatedBytes());
      }
    } catch (ArithmeticException e) {
      throw QueryException.tooCostly(
          "series", "the counts of all intervals add up to more than 2^63 - 1; ask for fewer");
    }
    claim.holds(
        adding.sums().allocatedBytes() + Distribution.bytesFor(counts.buckets(), counts.layouts()));
    counts.forEach(
        c -> {
          layouts.add(c.counts().layout());
          into.add(c.counts(), c.sumMinMax());
        });
    notes.add(into);
  }

  private void add(PastInterval interval) {
    try {
      adding.sums().add(interval);
    } catch (IOException e) {
      if (unreadable.isEmpty()) {
        whyUnreadable = String.valueOf(e.getMessage());
      }
      unreadable.add(interval);
    }
  }

  /** How many intervals could not be read, of those that were to be added up. */
  int unread() {
    return unreadable.size();
  }

  /** Which time the intervals cover that were added up last. */
  HistoryRange covered() {
    return adding.sums().range();
  }

  /** The bucket layouts of all intervals added up so far. */
  Set<BucketLayout> layouts() {
    return layouts;
  }

  /**
   * In words, where sums are not quite those of all intervals.
   *
   * @param intervals how many there are
   */
  List<String> warnings(int intervals) {
    List<String> warnings = new ArrayList<>(notes.texts());
    if (!unreadable.isEmpty()) {
      warnings.add(
          unreadable.size()
              + " of "
              + intervals
              + " intervals could not be read and are not in the answer: "
              + whyUnreadable);
    }
    return warnings;
  }
}

package io.hdrsidecar.sidecar.sla;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Good and all events of each row of a rule, as counters that a program that computes rates can
 * trust: from one beginning to the next they never fall, and never rise by events that were counted
 * before they began or held against other limits.
 *
 * <p>The first rule of a name counts all that its series have counted. Every later one of the name,
 * and one that may go on after a restart, begins at 0, good and all events together: its series
 * keep the past, but what was last seen under the name does not go on in it. One thread.
 */
final class SlaCounters {
  /** Counters of a row. */
  record Count(long good, long events) {
    static final Count NOTHING = new Count(0, 0);

    private Count since(Count before) {
      return new Count(good - before.good, events - before.events);
    }
  }

  private final SelectedSeries selected;
  private final int rows;
  private int seenBeginnings;
  private List<Count> before;
  private List<Count> counts;
  private Instant since = Instant.MAX;

  /**
   * Counters that show nothing before {@link #take}.
   *
   * @param rows how many rows
   * @param atZero whether they begin at 0, and not with what the series have counted
   */
  SlaCounters(SelectedSeries selected, int rows, boolean atZero) {
    this.selected = selected;
    this.rows = rows;
    this.seenBeginnings = atZero ? 0 : selected.beginnings();
    this.before = nothing();
    this.counts = before;
  }

  private List<Count> nothing() {
    return Collections.nCopies(rows, Count.NOTHING);
  }

  /**
   * Counts on.
   *
   * @param total each row against all that the series counted; empty while that is nothing
   */
  void take(List<Row> total, Instant now) {
    List<Count> all =
        total.isEmpty()
            ? nothing()
            : total.stream().map(row -> new Count(row.good(), row.events())).toList();
    if (seenBeginnings != selected.beginnings()) {
      seenBeginnings = selected.beginnings();
      before = all;
      since = now;
    } else if (since.equals(Instant.MAX)) {
      since = selected.countedSince();
    }
    counts = IntStream.range(0, rows).mapToObj(i -> all.get(i).since(before.get(i))).toList();
  }

  /** As of the last {@link #take}, one for each row. */
  List<Count> counts() {
    return counts;
  }

  /** When they were 0; {@link Instant#MAX} before the first {@link #take}. */
  Instant since() {
    return since;
  }
}

package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.history.HistoryLane;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.reading.CountsReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of a series since start, and the intervals of it that memory keeps, as of one moment:
 * whatever is kept is in the counts. Whether all that is in the counts is kept, is told by adding
 * up. One thread.
 */
public final class CountsAndHistory implements SeriesCopy {
  /** Between merging an interval and remembering it lie microseconds. */
  private static final int ATTEMPTS = 100_000;

  private final Series series;
  private final long afterMillis;
  private final long limit;
  private final CountsReader into;
  private final List<KeptInterval> intervals = new ArrayList<>();
  private long knownFrom;
  private boolean settled;

  private CountsAndHistory(Series series, long afterMillis, long limit, CountsReader into) {
    this.series = series;
    this.afterMillis = afterMillis;
    this.limit = limit;
    this.into = into;
  }

  /**
   * Copies. Any thread.
   *
   * @param afterMillis intervals are wanted that ended, or may have, after this
   * @param limit with more intervals than these, one more is given and the rest left out
   * @param into gets the counts
   */
  public static CountsAndHistory of(
      Series series, long afterMillis, long limit, CountsReader into) {
    CountsAndHistory copy = new CountsAndHistory(series, afterMillis, limit, into);
    for (int i = 0; i < ATTEMPTS && !copy.settled; i++) {
      series.read(copy);
      if (!copy.settled) {
        Thread.onSpinWait();
      }
    }
    if (!copy.settled) {
      copy.knownFrom = Long.MAX_VALUE;
    }
    return copy;
  }

  @Override
  public void take(SeriesPart[] parts, long lastRecord, long merged) {
    long lostTo = series.lostTo(); // First: what is remembered from now on changes the version.
    settled = lostTo < Long.MAX_VALUE;
    intervals.clear();
    into.clear();
    boolean isWhole = true;
    boolean isTooMuch = false;
    for (SeriesPart part : parts) {
      part.copyTo(into, SeriesPart.TOTAL);
      long kept = 0;
      HistoryLane lane = part.history();
      if (lane != null) {
        lane.copyTo(intervals, afterMillis, Long.MAX_VALUE, limit + 1);
        lostTo = Math.max(lostTo, lane.lostTo());
        kept = lane.count();
      }
      isWhole &= kept == part.total().total();
      isTooMuch |= kept > part.total().total();
    }
    into.done();
    boolean isLost = lostTo > Long.MIN_VALUE && !isTooMuch;
    knownFrom = isWhole ? Long.MIN_VALUE : isLost ? lostTo : Long.MAX_VALUE;
  }

  @Override
  public SeriesCopy another() {
    return new CountsAndHistory(series, afterMillis, limit, into.another());
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    CountsAndHistory other = (CountsAndHistory) filled;
    into.takeOver(other.into);
    intervals.clear();
    intervals.addAll(other.intervals);
    knownFrom = other.knownFrom;
    settled = other.settled;
  }

  /** The intervals that are kept and wanted. */
  public List<KeptInterval> intervals() {
    return intervals;
  }

  /** All that ended after this is kept; later than any time if that is not known. */
  public long knownFromMillis() {
    return knownFrom;
  }
}

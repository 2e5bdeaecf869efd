package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.merge.MemoryState.Pressure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Iterator;

/**
 * Keeps what the store holds under {@link MergeConfig#maxMemoryBytes}, and gives up in the order in
 * which it hurts least.
 *
 * <ol>
 *   <li>Time resolution. When so much is held that the next interval could pass the limit, windows
 *       are emptied, those of the series just merged first and then in turn, until it is 90 %.
 *       Emptied windows are not fed. They are again when what they had held fits below 80 %, and
 *       are not shown before that has lasted for their span: absent, never wrong.
 *   <li>Labels. When counts, names and labels alone reserve 90 %, there are no windows at all,
 *       names of ended series are forgotten, and new label sets go to the overflow series of their
 *       name.
 *   <li>Counts. An interval that would let counts, names and labels reserve more than the limit is
 *       refused. One that falls into counters that exist needs none and is merged.
 * </ol>
 *
 * <p>Reserved are 32 bits for every counter since start, also where it has fewer: so widening costs
 * nothing before 128 neighbours have counted 2^32 values, and what was admitted keeps counting.
 * Windows may use what is reserved and not yet taken, as they are the first to go.
 *
 * <p>So held is at most the limit, or 90 % of it and what the windows of one series take in with
 * one interval of {@code series.max-counters}, where that is more. The way back has a margin at
 * each step, so that nothing is given up and restored in turn. Merge context; {@link #state} is for
 * any thread.
 */
final class MemoryBudget {
  private static final Logger LOG = System.getLogger(MemoryBudget.class.getName());

  private final MergeConfig config;
  private final Collection<Series> all;
  private final PackingScratch scratch;
  private final long limit;

  /** From here on one more interval in all windows of a series could pass the limit. */
  private final long full;

  private final long ninety;
  private final long eighty;

  /** Bytes reserved for counts, names and labels, and for what belongs to them. */
  private final SingleWriterCounter lasting = new SingleWriterCounter();

  /** Bytes of these that counters do not take yet. */
  private final SingleWriterCounter untaken = new SingleWriterCounter();

  private final SingleWriterCounter inWindows = new SingleWriterCounter();
  private final SingleWriterCounter withoutWindows = new SingleWriterCounter();
  private volatile boolean shortForLabels;
  private volatile boolean refusing;
  private Pressure said = Pressure.NONE;
  private Iterator<Series> next;

  /** A budget for the series of a live view. */
  MemoryBudget(MergeConfig config, Collection<Series> all, PackingScratch scratch) {
    this.config = config;
    this.all = all;
    this.scratch = scratch;
    this.limit = config.maxMemoryBytes();
    this.ninety = limit / 10 * 9;
    this.full = Math.max(ninety, limit - StoreMemory.intervalInWindows(config));
    this.eighty = limit / 10 * 8;
    this.next = all.iterator();
  }

  /** Counts what a series or its name takes; less than 0 when it is gone. */
  void add(long lastingBytes) {
    lasting.add(lastingBytes);
  }

  /**
   * Refuses what takes counts, names and labels over the limit.
   *
   * @throws RefusedException before anything is changed
   */
  void requireRoomFor(long bytes) throws RefusedException {
    if (lasting.get() + bytes > limit) {
      refusing = true;
      throw new RefusedException(RejectReason.MEMORY_LIMIT, message());
    }
  }

  /**
   * Refuses an interval that needs counters for which there is no room.
   *
   * @throws RefusedException before anything is changed
   */
  void requireRoomFor(SeriesPart part, IntervalCounts interval) throws RefusedException {
    if (!hasRoomFor(part, interval)) {
      refusing = true;
      throw new RefusedException(RejectReason.MEMORY_LIMIT, message());
    }
  }

  /** What was refused has found room elsewhere. */
  void refusedNothing() {
    refusing = false;
  }

  /** Whether the counters that an interval needs are there or may be. */
  boolean hasRoomFor(SeriesPart part, IntervalCounts interval) {
    if (lasting.get() + StoreMemory.mostGrowth(interval.counts(), config.maxCounters()) <= limit) {
      return true;
    }
    long growth = part.growthFor(interval);
    return growth == 0 || lasting.get() + growth <= limit;
  }

  private String message() {
    return "no memory for more counts: series.max-memory of "
        + limit
        + " bytes is used up; raise it, or lower the number of series or their digits";
  }

  /** Whether there is so little left that a new label set is to share an overflow series. */
  boolean isShortForLabels() {
    shortForLabels = lasting.get() > (shortForLabels ? eighty : ninety);
    return shortForLabels;
  }

  /** Whether names of ended series should be forgotten for new ones. */
  boolean isAboveNinety() {
    return lasting.get() > ninety;
  }

  /** Whether an interval goes to the windows of its series, too; begins them again if they may. */
  boolean feedsWindows(Series series, long nowNanos) {
    if (series.hasWindows()) {
      return true;
    }
    if (Math.max(lasting.get(), taken() + series.windowBytesGivenUp()) > eighty) {
      return false;
    }
    series.beginWindowsAgain(nowNanos);
    withoutWindows.add(-1);
    return true;
  }

  /** A series was merged into; what it reserves, and of that does not take, changed by so much. */
  void merged(Series series, long lastingBytes, long untakenBytes, long windowBytes) {
    lasting.add(lastingBytes);
    untaken.add(untakenBytes);
    inWindows.add(windowBytes);
    if (Math.max(lasting.get(), taken()) > ninety) {
      relieve(series);
    }
  }

  private long taken() {
    return lasting.get() - untaken.get() + inWindows.get();
  }

  /** The windows of a series have changed by so much without an interval. */
  void windowsChanged(long windowBytes) {
    inWindows.add(windowBytes);
  }

  private void relieve(Series merged) {
    long counts = lasting.get();
    if (counts <= ninety && taken() <= full) {
      return;
    }
    giveUpWindows(merged);
    for (int left = all.size(); left > 0 && isToGiveUp(counts); left--) {
      if (!next.hasNext()) {
        next = all.iterator();
      }
      if (next.hasNext()) {
        giveUpWindows(next.next());
      }
    }
  }

  private boolean isToGiveUp(long counts) {
    return inWindows.get() > 0 && (counts > ninety || taken() > ninety);
  }

  private void giveUpWindows(Series series) {
    long bytes = SeriesBytes.ofWindows(series);
    if (series.hasWindows() && !config.windows().isEmpty() && !series.hasEnded()) {
      series.giveWindowsUp(config.windows(), scratch);
      inWindows.add(SeriesBytes.ofWindows(series) - bytes);
      withoutWindows.increment();
    }
  }

  /** A series has ended; its name is remembered. */
  void ended(Series series) {
    lasting.add(-SeriesBytes.lasting(series));
    untaken.add(-SeriesBytes.untaken(series));
    inWindows.add(-SeriesBytes.ofWindows(series));
    withoutWindows.add(series.hasWindows() ? 0 : -1);
  }

  /** Says what has changed since the last look, in the log. About once a second. */
  void look() {
    isShortForLabels();
    if (refusing && lasting.get() <= ninety) {
      refusing = false;
    }
    MemoryState state = state();
    if (state.pressure() != said) {
      said = state.pressure();
      LOG.log(
          said == Pressure.NONE ? Level.INFO : Level.WARNING,
          "event=memory_pressure giving_up={0} held_bytes={1} limit_bytes={2} problem={3}",
          said.label(),
          String.valueOf(state.heldBytes()),
          String.valueOf(limit),
          state.trouble());
    }
  }

  /** As of now. Any thread. */
  MemoryState state() {
    long without = withoutWindows.get();
    Pressure pressure =
        refusing
            ? Pressure.COUNTS
            : shortForLabels ? Pressure.LABELS : without > 0 ? Pressure.WINDOWS : Pressure.NONE;
    long reserved = lasting.get();
    return new MemoryState(
        limit, Math.max(reserved, taken()), reserved, inWindows.get(), without, pressure);
  }
}

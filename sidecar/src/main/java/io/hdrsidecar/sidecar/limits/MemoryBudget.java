package io.hdrsidecar.sidecar.limits;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MemoryState.Pressure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Keeps what the store holds under {@link MergeConfig#maxMemoryBytes}, and gives up in the order in
 * which it hurts least.
 *
 * <ol>
 *   <li>Time resolution. When so much is held that the next interval could pass the limit, windows
 *       are emptied, those of the series just merged first and then in turn, until it is 90 %.
 *       Emptied windows are not fed. They are again when what they had held fits below 80 %, and
 *       are not shown before that has lasted for their span: absent, never wrong.
 *   <li>Labels. When counts, names and labels alone reserve 83 %, there are no windows at all,
 *       names of ended series are forgotten, and new label sets go to the overflow series of their
 *       name. So does a series that would need more counters above 87 %: it stays as it is, whole
 *       up to then, and what comes is counted there.
 *   <li>Counts. What is left is for overflow series. An interval that would let one of them pass
 *       the limit is refused. One that falls into counters that exist needs none and is merged.
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
public final class MemoryBudget {
  private static final Logger LOG = System.getLogger(MemoryBudget.class.getName());

  private final MergeConfig config;
  private final long limit;

  /** From here on one more interval in all windows of a series could pass the limit. */
  private final long full;

  /** Above this new label sets share overflow series. */
  private final long forLabels;

  private final long forLabelsAgain;

  /** Most that series of their own labels may grow to. */
  private final long forGrowth;

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

  /** A budget of which nothing is used. */
  public MemoryBudget(MergeConfig config) {
    this.config = config;
    this.limit = config.maxMemoryBytes();
    this.forLabels = limit / 100 * 83;
    this.forLabelsAgain = limit / 100 * 73;
    this.forGrowth = limit / 100 * 87;
    this.ninety = limit / 10 * 9;
    this.full = Math.max(ninety, limit - StoreMemory.intervalInWindows(config));
    this.eighty = limit / 10 * 8;
  }

  /** Counts what a series or its name takes; less than 0 when it is gone. */
  public void add(long lastingBytes) {
    lasting.add(lastingBytes);
  }

  /**
   * Refuses what takes counts, names and labels over the limit.
   *
   * @throws RefusedException before anything is changed
   */
  public void requireRoomFor(long bytes) throws RefusedException {
    if (lasting.get() + bytes > limit) {
      throw refusal();
    }
  }

  /**
   * Refuses an interval that needs counters for which there is no room.
   *
   * @param total what it is to be added to
   * @throws RefusedException before anything is changed
   */
  public void requireRoomFor(PagedCounts total, SparseCounts interval) throws RefusedException {
    if (!hasRoomFor(total, interval, limit)) {
      throw refusal();
    }
  }

  /** Says that there is no memory, after nothing was changed. */
  public RefusedException refusal() {
    refusing = true;
    return new RefusedException(RejectReason.MEMORY_LIMIT, message());
  }

  /** What was refused has found room elsewhere. */
  public void refusedNothing() {
    refusing = false;
  }

  /**
   * Whether the counters that an interval needs are there or may be, if all series are restored.
   */
  public boolean hasRoomFor(PagedCounts total, SparseCounts interval) {
    return hasRoomFor(total, interval, limit);
  }

  /** The same for a series of its own labels; if not, what comes goes to an overflow series. */
  public boolean hasRoomForLabels(PagedCounts total, SparseCounts interval) {
    return hasRoomFor(total, interval, forGrowth);
  }

  /** There was none, not even without the names of ended series. */
  public void becameShortForLabels() {
    shortForLabels = true;
  }

  private boolean hasRoomFor(PagedCounts total, SparseCounts interval, long most) {
    if (lasting.get() + StoreMemory.mostGrowth(interval, config.maxCounters()) <= most) {
      return true;
    }
    long growth = total.committedGrowthFor(interval);
    return growth == 0 || lasting.get() + growth <= most;
  }

  private String message() {
    return "no memory for more counts: series.max-memory of "
        + limit
        + " bytes is used up; raise it, or lower the number of series or their digits";
  }

  /** Whether there is so little left that a new label set is to share an overflow series. */
  public boolean isShortForLabels() {
    shortForLabels = lasting.get() > (shortForLabels ? forLabelsAgain : forLabels);
    return shortForLabels;
  }

  /** Whether so much is reserved that there are neither windows nor new labels. */
  public boolean isFullForLabels() {
    return lasting.get() > forLabels;
  }

  /** Whether windows that held so many bytes when they were given up may be fed again. */
  public boolean hasRoomForWindows(long bytes) {
    return Math.max(lasting.get(), taken() + bytes) <= eighty;
  }

  /** What series reserve, of that do not take, and have in windows, changed by so much. */
  public void add(long lastingBytes, long untakenBytes, long windowBytes) {
    lasting.add(lastingBytes);
    untaken.add(untakenBytes);
    inWindows.add(windowBytes);
  }

  private long taken() {
    return lasting.get() - untaken.get() + inWindows.get();
  }

  /** Windows have changed by so much without an interval. */
  public void windowsChanged(long windowBytes) {
    inWindows.add(windowBytes);
  }

  /** Whether windows have to be given up: one more interval could pass the limit. */
  public boolean isFull() {
    return isFullForLabels() || taken() > full;
  }

  /** Whether there are windows to be given up, until there is room for some time. */
  public boolean isToGiveUpWindows() {
    return inWindows.get() > 0 && (isFullForLabels() || taken() > ninety);
  }

  /** So many more series are without windows, or fewer. */
  public void addWithoutWindows(int series) {
    withoutWindows.add(series);
  }

  /** Says what has changed since the last look, in the log. About once a second. */
  public void look() {
    isShortForLabels();
    if (refusing && !isFullForLabels()) {
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
  public MemoryState state() {
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

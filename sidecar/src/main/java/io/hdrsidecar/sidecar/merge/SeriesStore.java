package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.limits.MemoryBudget;
import io.hdrsidecar.sidecar.limits.MemoryState;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.limits.RejectCounters;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All series, and the only place where counts are added.
 *
 * <p>Counts of equal layout add bucket by bucket; counts of another layout form another part of the
 * series and are joined only when read. At the limit of series, further label sets of a name share
 * series {@code name{overflow="true"}}, in which {@code corrected} and {@code kind} are still told
 * apart: detail is lost, counts are not.
 *
 * <p>What all series hold keeps to {@link MergeConfig#maxMemoryBytes}: windows are given up first,
 * then labels, counts last, see {@link MemoryState.Pressure}. {@link IntervalClock} says where in
 * the windows an interval lies.
 *
 * <p>A series without intervals for {@link MergeConfig#idleExpiry} ends, in {@link #expireIdle}.
 *
 * <p>Methods marked "merge context" belong to one thread. Merging takes no lock and, after warm-up,
 * allocates nothing.
 */
public final class SeriesStore {
  private static final InstanceId NOBODY = new InstanceId(0, 0);
  private static final Sender NO_SENDER = () -> NOBODY;

  private final MergeConfig config;
  private final IntervalClock clock;
  private final IdleTime idleTime;
  private final PackingScratch scratch = new PackingScratch();
  private final SeriesTable table;
  private final MemoryBudget memory;
  private final StoreRestore restore;
  private final IntervalCounts interval = new IntervalCounts();
  private final StoreMerge merging;
  private final SingleWriterCounter expired = new SingleWriterCounter();
  private final RejectCounters rejected = new RejectCounters();
  private final StorePast past;

  /** A store on the system's clocks. */
  public SeriesStore(MergeConfig config) {
    this(config, InstantSource.system(), System::nanoTime);
  }

  /**
   * A store on other clocks, so that tests can turn them by hand.
   *
   * @param wallClock tells how old an interval is
   * @param nanoTime drives the windows; monotonic
   */
  public SeriesStore(MergeConfig config, InstantSource wallClock, LongSupplier nanoTime) {
    this.config = config;
    this.clock = new IntervalClock(wallClock, nanoTime);
    this.idleTime = new IdleTime(nanoTime);
    this.past = new StorePast(config.idleExpiry(), clock, scratch);
    this.table = new SeriesTable(config, scratch);
    this.memory = table.memory();
    this.merging = new StoreMerge(config, clock, idleTime, table, past, interval);
    this.restore = new StoreRestore(this, table, clock, idleTime);
  }

  /**
   * Finds the series, or creates it. Merge context.
   *
   * @return at the limit of series, or when memory is short, the overflow series of the name
   * @throws RefusedException when the name has another unit, a metric name would collide, the name
   *     is reserved, the configuration needs too many counters, the labels are too long, or the
   *     limits of layouts or overflow series are reached; nothing is changed
   */
  public Series register(SeriesDefinition definition) throws RefusedException {
    return register(definition, clock.wallTime());
  }

  /** The same; if it begins now, it says that counting began then. Merge context. */
  public Series register(SeriesDefinition definition, Instant createdAt) throws RefusedException {
    return table.register(definition, createdAt, idleTime.nanos());
  }

  /**
   * Where intervals for this registration go now: itself while its series lives. If that has ended
   * as no intervals came, it begins anew, with a new start and from 0; at the limit of series, or
   * when memory is short, the overflow series of its name takes its place, as it would at a first
   * registration. Merge context.
   *
   * @param registration not {@link Registration#isForgotten forgotten}
   * @throws RefusedException when the name belongs to another unit or metric by now, or limits
   *     leave no room, not even for an overflow series
   */
  public Registration renewed(Registration registration) throws RefusedException {
    Series living = registration.ref().living();
    if (living != null && !living.isFull()) {
      return registration;
    }
    return table
        .renew(registration, clock.wallTime(), idleTime.nanos())
        .registration(registration.layout());
  }

  /**
   * Ends every series that got no interval for the configured time. Merge context, about once a
   * second: time counts from call to call, and only while intervals could come.
   */
  public void expireIdle() {
    idleTime.look(!log().isFull());
    long limitNanos = config.idleExpiry().toNanos();
    if (limitNanos > 0) {
      for (Series series : table.all()) {
        if (idleTime.nanos() - series.idleSinceNanos() >= limitNanos) {
          end(series);
        }
      }
    }
  }

  /** Takes a series out that goes on elsewhere, or is not wanted here. Merge context. */
  public void remove(Series series) {
    table.drop(series);
    past.ends(series);
  }

  private void end(Series series) {
    table.end(series, log().appendEnd(series));
    past.ends(series);
    expired.increment();
  }

  /**
   * Adds an interval whose figures the caller has compared with its buckets. If its series has no
   * memory for the counters it needs, the overflow series of its name counts it, and all that comes
   * for that series. Merge context.
   *
   * @param series as {@link #register} gave it for the layout of the histogram
   * @param startMillis milliseconds since the epoch, as {@code endMillis}
   * @param sumMinMax of its values, as {@link IntervalCounts#set(DecodedHistogram, SumMinMax)}
   * @throws RefusedException when a count or sum would overflow, the layout was not registered, or
   *     it needs counters for which there is no memory; nothing is changed
   */
  public void merge(
      Series series,
      DecodedHistogram histogram,
      long startMillis,
      long endMillis,
      SumMinMax sumMinMax)
      throws RefusedException {
    merge(series, histogram, startMillis, endMillis, sumMinMax, null);
  }

  /** The same, with its slowest value that has a trace. */
  public void merge(
      Series series,
      DecodedHistogram histogram,
      long startMillis,
      long endMillis,
      SumMinMax sumMinMax,
      @Nullable Exemplar exemplar)
      throws RefusedException {
    interval.set(histogram, sumMinMax);
    interval.offer(exemplar);
    merging.add(NO_SENDER, 0, series, histogram, startMillis, endMillis).offer(exemplar);
  }

  /**
   * Adds an interval as a client sent it, and settles its number in the same step. Merge context.
   *
   * @param sender told that its interval is counted, unless it is refused
   * @param frame figures and sequence number, compared with the histogram by the caller
   * @throws RefusedException as the other {@code merge}
   */
  public void merge(Sender sender, Series series, DecodedHistogram histogram, IntervalFrame frame)
      throws RefusedException {
    interval.set(histogram.counts(), frame.sumMinMax());
    interval.offer(frame.exemplar());
    merging
        .add(sender, frame.sequence(), series, histogram, frame.startMillis(), frame.endMillis())
        .offer(frame.exemplar());
  }

  /**
   * Adds an interval that came without figures, as in a histogram log: the sum is taken from the
   * middle of each bucket, minimum and maximum from the edges of the first and the last. Merge
   * context.
   *
   * @throws RefusedException as {@link #merge}
   */
  public void mergeWithoutSumMinMax(
      Series series, DecodedHistogram histogram, long startMillis, long endMillis)
      throws RefusedException {
    interval.setWithoutSumMinMax(histogram);
    merging.add(NO_SENDER, 0, series, histogram, startMillis, endMillis);
  }

  /** Brings back what was counted before this start. Before the first merge. */
  public StoreRestore restore() {
    return restore;
  }

  /** The past that is kept. */
  public StorePast past() {
    return past;
  }

  /** From now on, merged intervals are written down there. Before the first merge. */
  public void writeTo(IntervalLog intervalLog) {
    merging.writeTo(intervalLog);
  }

  /** Where merged intervals are written down. */
  public IntervalLog log() {
    return merging.log();
  }

  /** Counts something refused, here or on the way here. Merge context. */
  public void countRejected(RejectReason reason) {
    rejected.count(reason);
  }

  /** The number of refusals since start, by reason; only reasons that occurred. Any thread. */
  public Map<RejectReason, Long> rejected() {
    return rejected.snapshot();
  }

  /**
   * How long to wait until {@link #advanceWindows} is best called first, and then once a second: in
   * the last tenth of a second on the clock of the windows. Series that have got an interval in
   * this step have done it then, with counts that had to be fetched from memory anyway. Any thread.
   *
   * @return milliseconds, 1 to 1000
   */
  public long millisToWindowSweep() {
    long inSecond = clock.nowNanos() / 1_000_000 % 1000;
    return Math.floorMod(900 - inSecond - 1, 1000L) + 1;
  }

  /**
   * Takes what has left the windows out of them, and says in the log what has come to be given up
   * as memory is short, or no longer is. Merge context, about once a second.
   */
  public void advanceWindows() {
    table.windows().advance(clock.nowNanos(), clock.wallMillis());
    memory.look();
  }

  /** The series with this key, if there is one. Any thread. */
  public Optional<Series> find(SeriesKey key) {
    return Optional.ofNullable(table.find(key));
  }

  /** A live view of all series, in no order. Any thread; weakly consistent. */
  public Collection<Series> series() {
    return table.all();
  }

  /**
   * All series that live now, each name and set of labels once, which {@link #series} does not
   * promise while a series ends and begins anew. Any thread.
   */
  public List<Series> livingSeries() {
    return living(table.all());
  }

  static List<Series> living(Collection<Series> all) {
    List<Series> living = new ArrayList<>(all);
    living.removeIf(Series::hasEnded); // After the copy: who began anew in it had ended by then.
    return living;
  }

  /** Limits and windows in force. */
  public MergeConfig config() {
    return config;
  }

  /** The sliding windows every series has. */
  public List<WindowSpec> windows() {
    return config.windows();
  }

  /** Numbers of the moment. Any thread; O(series). */
  public StoreStatus status() {
    return new StoreStatus(
        table.all().size(),
        table.overflowSeries(),
        config.maxSeries(),
        merging.intervals(),
        merging.values(),
        expired.get(),
        rejected(),
        table.all().stream().mapToLong(SeriesBytes::ofCounts).sum(),
        memory.state());
  }

  /** Intervals merged so far. Any thread. */
  public long mergedIntervals() {
    return merging.intervals();
  }

  /** How the store keeps to its memory. Any thread. */
  public MemoryState memory() {
    return memory.state();
  }
}

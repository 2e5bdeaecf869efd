package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.query.CountsClaim;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.TimeRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the intervals of series into windows that move forward, in the order in which they ended:
 * each once, however many windows it is in. One thread at a time.
 */
final class WindowReading {
  private static final long ENTRY_BYTES = 40;
  private static final int LOOK_EVERY = 512;

  /** Where there are more places, none has the memory that makes adding up faster. */
  private static final int FEW = EvaluationEffort.FAST_SUMS;

  /** With less memory left, none of them has. */
  private static final long PLENTY_BYTES = 8 << 20;

  /** One that is empty. */
  private static final long SLOT_BYTES = 4_096;

  /** An interval, and the place where it is added up. */
  private record Entry(PastInterval interval, int slot) {}

  /** Says where a series is added up. */
  @FunctionalInterface
  interface SlotChoice {
    /**
     * The slot of a series; the next number for one of its own.
     *
     * @param longestMillis length of its longest interval
     */
    int slotOf(ChosenSeries series, long longestMillis);
  }

  private final EvaluationScope scope;
  private final Windows windows;
  private final boolean overlap;
  private final PastReading reading;
  private final List<ChosenSeries> series;
  private final List<Entry> entries = new ArrayList<>();
  private final List<SlidingSum> slots = new ArrayList<>();
  private final CountsClaim claim;
  private long heldBytes;
  private int nextEntry;
  private int nextCut;
  private int unreadable;
  private String whyUnreadable = "";

  /** Chooses series and takes references to what they have. */
  WindowReading(SeriesChoice choice, Windows windows, EvaluationScope scope) throws QueryException {
    this.scope = scope;
    this.windows = windows;
    this.overlap = windows.overlap();
    this.claim = new CountsClaim(scope.query().claim());
    scope.query().claim().grow(windows.bytes());
    PastCounts.requireHistory(scope.query().store().past().isKept());
    this.reading =
        scope
            .readings()
            .of(
                scope.query().store().past().source(),
                windows.fromMillis() - SeriesChoice.LOOKBACK_MILLIS,
                windows.toMillis() + 1);
    this.series = choice.select(reading, scope);
  }

  /** What was chosen. */
  List<ChosenSeries> series() {
    return series;
  }

  /**
   * Takes hold of the intervals.
   *
   * @param slotCount how many slots there are at least
   * @param choice in which of them the series that have intervals are added up
   */
  void begin(int slotCount, SlotChoice choice) throws QueryException {
    makeSlots(slotCount);
    if (series.isEmpty()) {
      return;
    }
    TimeRange range = new TimeRange(windows.fromMillis(), windows.toMillis() + 1);
    List<PastCounts.OfSeries> found =
        PastCounts.gather(
            SeriesChoice.selection(series),
            range,
            reading,
            scope.effort().isFrugal(),
            scope.query());
    Map<SeriesKey, Integer> slotOf = choose(found, choice);
    for (PastCounts.OfSeries each : found) {
      int slot = slotOf.getOrDefault(each.key(), 0);
      scope.query().claim().grow(ENTRY_BYTES * each.intervals().size());
      for (PastInterval interval : each.intervals()) {
        if (isWithin(interval)) {
          entries.add(new Entry(interval, slot));
        }
      }
    }
    scope.spend(entries.size());
    entries.sort(Comparator.comparingLong(entry -> entry.interval().endMillis()));
  }

  private void makeSlots(int count) throws QueryException {
    scope.query().claim().grow(SLOT_BYTES * Math.max(0, count - slots.size()));
    boolean ofMany = count <= FEW && scope.query().claim().roomBytes() >= PLENTY_BYTES;
    while (slots.size() < count) {
      slots.add(new SlidingSum(overlap, ofMany && scope.effort().takeFastSum()));
    }
  }

  private Map<SeriesKey, Integer> choose(List<PastCounts.OfSeries> found, SlotChoice choice)
      throws QueryException {
    Map<SeriesKey, Long> longest = new LinkedHashMap<>();
    for (PastCounts.OfSeries each : found) {
      long millis =
          each.intervals().stream()
              .filter(this::isWithin)
              .mapToLong(interval -> interval.endMillis() - interval.startMillis())
              .max()
              .orElse(0);
      longest.merge(each.key(), millis, Math::max);
    }
    Map<SeriesKey, ChosenSeries> byKey =
        series.stream().collect(Collectors.toMap(ChosenSeries::key, each -> each, (a, b) -> a));
    Map<SeriesKey, Integer> slotOf = new LinkedHashMap<>();
    for (Map.Entry<SeriesKey, Long> each : longest.entrySet()) {
      ChosenSeries one = byKey.get(each.getKey());
      int slot = one == null ? 0 : choice.slotOf(one, each.getValue());
      makeSlots(slot + 1);
      slotOf.put(each.getKey(), slot);
    }
    return slotOf;
  }

  private boolean isWithin(PastInterval interval) {
    return interval.endMillis() > windows.fromMillis()
        && interval.endMillis() <= windows.toMillis();
  }

  /** How many places there are in which series are added up. Once begun. */
  int slots() {
    return slots.size();
  }

  /** Moves to the window of a step, which is not before the last. */
  void moveTo(int step, Annotations annotations) throws QueryException {
    long end = windows.endAt(step);
    long begin = windows.beginAt(step);
    if (step > 0 && end == windows.endAt(step - 1)) {
      return; // fixed by @
    }
    for (SlidingSum each : slots) {
      if (each.mayLeave(begin)) {
        heldBytes -= each.bytes();
        each.leave(begin);
        heldBytes += each.bytes();
      }
    }
    for (; nextCut < windows.cuts() && windows.cutAt(nextCut) <= end; nextCut++) {
      long from = nextCut == 0 ? Long.MIN_VALUE : windows.cutAt(nextCut - 1);
      read(from, windows.cutAt(nextCut), from >= begin, annotations);
    }
    claim.holds(heldBytes);
    describe(annotations);
  }

  private void read(long from, long to, boolean isWanted, Annotations annotations)
      throws QueryException {
    Set<SlidingSum> touched = new LinkedHashSet<>();
    for (; nextEntry < entries.size(); nextEntry++) {
      Entry entry = entries.get(nextEntry);
      if (entry.interval().endMillis() > to) {
        break;
      }
      if (nextEntry % LOOK_EVERY == 0) {
        scope.requireWanted();
      }
      if (isWanted) {
        add(entry, touched, annotations);
      }
    }
    for (SlidingSum each : touched) {
      heldBytes -= each.bytes();
      try {
        each.endPiece(from);
      } catch (ArithmeticException e) {
        throw tooMany();
      }
      heldBytes += each.bytes();
      claim.holds(heldBytes);
    }
  }

  private static QueryException tooMany() {
    return QueryException.tooCostly(
        "query", "the counts of all intervals add up to more than 2^63 - 1; ask for fewer");
  }

  private void add(Entry entry, Set<SlidingSum> touched, Annotations annotations)
      throws QueryException {
    PastInterval interval = entry.interval();
    long length = interval.endMillis() - interval.startMillis();
    SlidingSum sum = slots.get(entry.slot());
    try {
      heldBytes -= sum.bytes();
      sum.add(interval);
      touched.add(sum);
      annotations.cover(new Coverage(interval.startMillis(), interval.endMillis(), length));
    } catch (IOException e) {
      whyUnreadable = unreadable == 0 ? String.valueOf(e.getMessage()) : whyUnreadable;
      unreadable++;
    } catch (ArithmeticException e) {
      throw tooMany();
    } finally {
      heldBytes += sum.bytes();
    }
    claim.holds(heldBytes);
  }

  /** What a slot holds in the window at hand. */
  SlidingSum slot(int slot) {
    return slots.get(slot);
  }

  /**
   * Makes room for what is read out of a slot.
   *
   * @param besides what was read out of others, and is still there
   */
  void claimFor(SlidingSum sum, long besides) {
    claim.holds(heldBytes + besides + sum.distributionBytes());
  }

  /** Says what is missing by now. */
  private void describe(Annotations annotations) {
    reading.warnings().forEach(annotations::warn);
    if (unreadable > 0) {
      annotations.warn(
          unreadable
              + " of "
              + entries.size()
              + " intervals could not be read and are not in the answer: "
              + whyUnreadable);
    }
  }
}

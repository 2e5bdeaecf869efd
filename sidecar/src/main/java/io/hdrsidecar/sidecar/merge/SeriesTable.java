package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.families.FamilyClaim;
import io.hdrsidecar.sidecar.families.FamilyRegistry;
import io.hdrsidecar.sidecar.limits.MemoryBudget;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.limits.StoreMemory;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.SeriesRef.Identity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which series there are: where they begin and end, within the limits. The merge context writes;
 * finding and listing is for any thread.
 *
 * <p>Of series that have ended, as many as may live, overflow included, are remembered, so that
 * clients that come back find their own again; those that ended longest ago are forgotten first,
 * and have to be registered again.
 */
final class SeriesTable {
  private final MergeConfig config;
  private final PackingScratch scratch;
  private final Map<SeriesKey, Series> byKey = new ConcurrentHashMap<>();
  private final Collection<Series> all = Collections.unmodifiableCollection(byKey.values());
  private final FamilyRegistry families = new FamilyRegistry();
  private final Set<SeriesRef> ended = new LinkedHashSet<>();
  private final MemoryBudget memory;
  private final StoreWindows windows;
  private final SingleWriterCounter overflowSeries = new SingleWriterCounter();

  SeriesTable(MergeConfig config, PackingScratch scratch) {
    this.config = config;
    this.scratch = scratch;
    this.memory = new MemoryBudget(config);
    this.windows = new StoreWindows(config, memory, all, scratch);
  }

  /** The memory that the series may take. */
  MemoryBudget memory() {
    return memory;
  }

  /** Which of them have windows. */
  StoreWindows windows() {
    return windows;
  }

  @Nullable Series find(SeriesKey key) {
    return byKey.get(key);
  }

  Collection<Series> all() {
    return all;
  }

  int overflowSeries() {
    return (int) overflowSeries.get();
  }

  /** Finds or begins a series; at the limit, the overflow series for its name and labels. */
  Series register(SeriesDefinition definition, Instant now, long idleNanos)
      throws RefusedException {
    requireFewCounters(definition);
    SeriesKey key = definition.key();
    requireShortLabels(key);
    FamilyClaim claim = families.check(key.name(), definition.unit(), definition.help());
    Series series = with(definition.layout(), key, claim, now, idleNanos);
    return ranged(series, definition.layout(), definition.highestTrackableValue());
  }

  /**
   * The same for a series known from before this start: it had its place, and has it as long as it
   * fits.
   *
   * @param asOverflow whether in the overflow series of its name, whatever room there is
   * @param hidden whether readers of it wait, if it begins now, until the lock is let go
   */
  Series restore(
      SeriesDefinition definition,
      Instant createdAt,
      long idleNanos,
      boolean asOverflow,
      boolean hidden)
      throws RefusedException {
    requireFewCounters(definition);
    SeriesKey key = definition.key();
    FamilyClaim claim = families.check(key.name(), definition.unit(), definition.help());
    Series series = byKey.get(key);
    if (series == null) {
      boolean overflows = asOverflow || labelLength(key) > config.maxLabelLength();
      series = place(definition.layout(), key, claim, createdAt, idleNanos, overflows, hidden);
    }
    addLayout(series, definition.layout());
    return ranged(series, definition.layout(), definition.highestTrackableValue());
  }

  /** The same for a series that has ended. */
  Series renew(Registration old, Instant now, long idleNanos) throws RefusedException {
    Identity ended = old.ref().identity();
    if (ended == null) {
      throw new IllegalStateException("series is forgotten");
    }
    FamilyClaim before = ended.claim();
    FamilyClaim claim = families.check(before.seriesName(), before.unit(), before.help());
    Series series = with(old.layout(), ended.key(), claim, now, idleNanos);
    return ranged(series, old.layout(), old.highestTrackableValue());
  }

  private static Series ranged(Series series, BucketLayout layout, long highestTrackableValue) {
    series.registration(layout).raise(highestTrackableValue);
    return series;
  }

  private Series with(
      BucketLayout layout, SeriesKey key, FamilyClaim claim, Instant createdAt, long idleNanos)
      throws RefusedException {
    Series series = byKey.get(key);
    if (series == null) {
      forgetUntil(() -> !memory.isShortForLabels());
      series = place(layout, key, claim, createdAt, idleNanos, memory.isShortForLabels(), false);
    } else if (series.isFull() && memory.isShortForLabels()) {
      series = overflow(layout, key.labels(), claim, createdAt, idleNanos);
    }
    series.setFull(false);
    addLayout(series, layout);
    return series;
  }

  /**
   * The series that may count for one that has no memory for more counters.
   *
   * @throws RefusedException when there is no room for an overflow series of its name
   */
  Series insteadOf(Series full, SeriesPart part, Instant now, long idleNanos)
      throws RefusedException {
    memory.becameShortForLabels();
    BucketLayout layout = part.layout();
    Series overflow =
        overflow(layout, full.key().labels(), full.identity().claim(), now, idleNanos);
    addLayout(overflow, layout);
    return ranged(overflow, layout, part.registration().highestTrackableValue());
  }

  private Series place(
      BucketLayout layout,
      SeriesKey key,
      FamilyClaim claim,
      Instant createdAt,
      long idleNanos,
      boolean overflows,
      boolean hidden)
      throws RefusedException {
    int ordinary = byKey.size() - overflowSeries();
    return overflows || OverflowLabels.areThese(key.labels()) || ordinary >= config.maxSeries()
        ? overflow(layout, key.labels(), claim, createdAt, idleNanos)
        : begin(layout, key, false, claim, createdAt, idleNanos, hidden);
  }

  private void requireFewCounters(SeriesDefinition definition) throws RefusedException {
    if (definition.counters() > config.maxCounters()) {
      throw new RefusedException(
          RejectReason.CONFIGURATION_LIMIT,
          "lowest value, highest value and digits may need at most "
              + config.maxCounters()
              + " counters (series.max-counters): "
              + definition.counters());
    }
  }

  private void requireShortLabels(SeriesKey key) throws RefusedException {
    int length = labelLength(key);
    if (length > config.maxLabelLength()) {
      throw new RefusedException(
          RejectReason.CONFIGURATION_LIMIT,
          "names and values of all labels may have at most "
              + config.maxLabelLength()
              + " characters in sum (series.max-label-length): "
              + length);
    }
  }

  private static int labelLength(SeriesKey key) {
    int[] length = {0};
    key.labels().forEach((name, value) -> length[0] += name.length() + value.length());
    return length[0];
  }

  private Series overflow(
      BucketLayout layout, Labels labels, FamilyClaim claim, Instant createdAt, long idleNanos)
      throws RefusedException {
    SeriesKey key = new SeriesKey(claim.seriesName(), OverflowLabels.of(labels));
    Series series = byKey.get(key);
    if (series != null) {
      return series;
    }
    if (overflowSeries() >= config.maxSeries()) {
      throw new RefusedException(
          RejectReason.SERIES_LIMIT,
          "the limit of " + config.maxSeries() + " series and as many overflow series is reached");
    }
    Series begun = begin(layout, key, true, claim, createdAt, idleNanos, false);
    overflowSeries.increment();
    return begun;
  }

  private Series begin(
      BucketLayout layout,
      SeriesKey key,
      boolean overflow,
      FamilyClaim claim,
      Instant createdAt,
      long idleNanos,
      boolean hidden)
      throws RefusedException {
    Identity identity = new Identity(key, claim, overflow);
    SeriesRef ref = new SeriesRef(identity);
    Instant shown = createdAt.truncatedTo(ChronoUnit.MILLIS); // as a journal will tell it
    Series series = new Series(ref, identity, shown, config.windows().size(), idleNanos);
    long bytes = identityBytes(identity) + SeriesBytes.lasting(series);
    long ofName = families.isKnown(claim) ? 0 : shownNameBytes(claim);
    memory.requireRoomFor(bytes + ofName + newPartBytes(key, layout)); // Not one without the other.
    memory.add(bytes + ofName);
    if (hidden) {
      series.lock.beginWrite();
    }
    ref.lead(series);
    families.add(claim);
    byKey.put(key, series);
    return series;
  }

  private void addLayout(Series series, BucketLayout layout) throws RefusedException {
    if (series.part(layout) != null) {
      return;
    }
    if (series.parts().length >= config.maxLayouts()) {
      throw new RefusedException(
          RejectReason.CONFIGURATION_LIMIT,
          "a series may have at most "
              + config.maxLayouts()
              + " layouts; "
              + series.key()
              + " has "
              + series.layouts());
    }
    memory.requireRoomFor(newPartBytes(series.key(), layout));
    long before = SeriesBytes.lasting(series);
    series.addPart(new SeriesPart(series.ref(), layout, config.windows(), scratch));
    memory.add(SeriesBytes.lasting(series) - before);
  }

  private long newPartBytes(SeriesKey key, BucketLayout layout) {
    return StoreMemory.partObjectsBytes(config.windows().size())
        + StoreMemory.writtenBytes(key)
        + MemoryItem.OBJECT_BYTES
        + layout.heapBytes();
  }

  private static long shownNameBytes(FamilyClaim claim) {
    return StoreMemory.shownNameBytes(claim.seriesName().length(), claim.help().length());
  }

  /**
   * Ends a series and frees what it held: its place, its name if it was the last of it, and its
   * counts, once nobody reads them any more.
   *
   * @param record the record of the journal that says so
   */
  void end(Series series, long record) {
    remove(series, record);
    remember(series.ref());
  }

  /** The same for one that no client knows of yet: nothing of it is remembered. */
  void drop(Series series) {
    memory.add(-identityBytes(series.identity()));
    remove(series, 0);
    series.ref().forget();
  }

  private void remove(Series series, long record) {
    windows.ended(series);
    series.end(record);
    byKey.remove(series.key());
    FamilyClaim claim = series.identity().claim();
    families.release(claim);
    memory.add(families.isKnown(claim) ? 0 : -shownNameBytes(claim));
    overflowSeries.add(series.identity().overflow() ? -1 : 0);
  }

  private void remember(SeriesRef ref) {
    ended.add(ref);
    if (ended.size() > 2L * config.maxSeries()) {
      forgetEldest();
    }
  }

  /**
   * Forgets names of ended series, the eldest first, until there is room.
   *
   * @return whether there is
   */
  boolean forgetUntil(BooleanSupplier hasRoom) {
    while (!hasRoom.getAsBoolean()) {
      if (ended.isEmpty()) {
        return false;
      }
      forgetEldest();
    }
    return true;
  }

  private void forgetEldest() {
    Iterator<SeriesRef> eldest = ended.iterator();
    SeriesRef ref = eldest.next();
    Identity identity = ref.identity();
    if (identity != null) {
      memory.add(-identityBytes(identity));
    }
    ref.forget();
    eldest.remove();
  }

  private static long identityBytes(Identity identity) {
    return StoreMemory.identityBytes(identity.key(), identity.claim().help());
  }
}

package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.Series;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was merged since the last batch, series by series. It keeps to a number of bytes, together
 * with what is framed: short of room, a batch is asked for early; then series are added up to
 * overflow series, as in the store; counts that have no room even there are lost, and counted.
 *
 * <p>Merge context, but for its counters.
 */
final class PendingSums {
  private static final Logger LOG = System.getLogger(PendingSums.class.getName());

  /** What an interval needs at most, unless it is one of a great many magnitudes. */
  private static final long USUAL_GROWTH_BYTES = 16 << 10;

  private final long maxBytes;

  /** An eighth is for overflow series alone, which begin when the rest is used up. */
  private final long mostOfAny;

  private final Labels resource;
  private final Predicate<String> isLeftOut;
  private final Map<Series, List<PendingSum>> living = new HashMap<>();
  private final Map<SeriesDefinition, PendingSum> others = new HashMap<>();
  private volatile LongSupplier framedBytes = () -> 0;
  private volatile Runnable onLittleRoom = () -> {};
  private boolean hasAsked;
  private boolean isShort;
  private long batchBytes;
  private volatile long bytes;
  private volatile long values;
  private volatile long oldestMillis;
  private final SingleWriterCounter foldedValues = new SingleWriterCounter();
  private final SingleWriterCounter lostValues = new SingleWriterCounter();
  private final SingleWriterCounter foreignValues = new SingleWriterCounter();

  /**
   * Nothing yet.
   *
   * @param resource where this sidecar runs: labels of series that say the same are left out, as
   *     they travel beside all of them
   * @param isLeftOut which series are not handed on, by name
   */
  PendingSums(long maxBytes, Labels resource, Predicate<String> isLeftOut) {
    this.resource = resource;
    this.maxBytes = maxBytes;
    this.mostOfAny = maxBytes - maxBytes / 8;
    this.isLeftOut = isLeftOut;
  }

  /**
   * Before the first interval that is not replayed.
   *
   * @param framed bytes that what was taken holds now
   * @param littleRoom called when a batch should be taken soon
   */
  void share(LongSupplier framed, Runnable littleRoom) {
    framedBytes = framed;
    onLittleRoom = littleRoom;
  }

  /** An interval is being merged into this series. */
  void add(
      Series series,
      BucketLayout layout,
      IntervalCounts interval,
      long startMillis,
      long endMillis) {
    if (isLeftOut.test(series.key().name()) || isForeign(layout, interval.counts())) {
      return;
    }
    PendingSum sum = sumOf(series, layout);
    if (!added(
        sum,
        mostOfAny,
        interval.counts(),
        interval.sumMinMax(),
        interval.exemplar(),
        startMillis,
        endMillis)) {
      fold(
          definition(series, layout),
          interval.counts(),
          interval.sumMinMax(),
          interval.exemplar(),
          startMillis,
          endMillis);
    }
  }

  /** Frames hold HdrHistogram's payloads, which have no place for buckets of others. */
  private boolean isForeign(BucketLayout layout, SparseCounts counts) {
    if (layout.isHdr()) {
      return false;
    }
    if (foreignValues.get() == 0) {
      LOG.log(
          Level.WARNING,
          "event=upstream_foreign_buckets layout={0} problem=\"counts in buckets that are not"
              + " HdrHistogram's stay here: they cannot be handed on\"",
          layout);
    }
    foreignValues.add(counts.total());
    return true;
  }

  private PendingSum sumOf(Series series, BucketLayout layout) {
    List<PendingSum> sums = living.computeIfAbsent(series, absent -> new ArrayList<>(1));
    for (PendingSum sum : sums) {
      if (sum.layout().equals(layout)) {
        return sum;
      }
    }
    PendingSum sum = new PendingSum(layout);
    sums.add(sum);
    return sum;
  }

  private static SeriesDefinition definition(Series series, BucketLayout layout) {
    Registration registration = series.registration(layout);
    return new SeriesDefinition(
        series.key(), series.unit(), series.help(), layout, registration.highestTrackableValue());
  }

  /** An interval of the journal that was not in the last batch of the run before. */
  void replay(SeriesDefinition definition, JournalLine line) {
    SparseCounts counts = line.histogram().counts();
    if (isLeftOut.test(definition.key().name()) || isForeign(line.histogram().layout(), counts)) {
      return;
    }
    SeriesDefinition asDecoded =
        new SeriesDefinition(
            definition.key(),
            definition.unit(),
            definition.help(),
            line.histogram().layout(),
            Math.max(definition.highestTrackableValue(), line.histogram().highestTrackableValue()));
    PendingSum sum =
        others.computeIfAbsent(asDecoded, absent -> new PendingSum(asDecoded.layout()));
    if (!added(
        sum, mostOfAny, counts, line.sumMinMax(), null, line.startMillis(), line.endMillis())) {
      fold(asDecoded, counts, line.sumMinMax(), null, line.startMillis(), line.endMillis());
    }
  }

  private boolean added(
      PendingSum sum,
      long most,
      SparseCounts counts,
      SumMinMax sumMinMax,
      @Nullable Exemplar exemplar,
      long startMillis,
      long endMillis) {
    if (!hasRoomFor(sum, counts, most)) {
      return false;
    }
    long grown = bytes + sum.add(counts, sumMinMax, exemplar, startMillis, endMillis);
    bytes = grown;
    long counted = values + counts.total();
    values = counted;
    oldestMillis = oldestMillis == 0 ? startMillis : Math.min(oldestMillis, startMillis);
    if (!hasAsked && grown > maxBytes / 4) {
      hasAsked = true;
      onLittleRoom.run();
    }
    return true;
  }

  private boolean hasRoomFor(PendingSum sum, SparseCounts counts, long most) {
    long held = bytes + batchBytes + framedBytes.getAsLong();
    return held + USUAL_GROWTH_BYTES <= most || held + sum.growthFor(counts) <= most;
  }

  private void fold(
      SeriesDefinition definition,
      SparseCounts counts,
      SumMinMax sumMinMax,
      @Nullable Exemplar exemplar,
      long startMillis,
      long endMillis) {
    SeriesKey key = definition.key();
    SeriesDefinition overflow =
        new SeriesDefinition(
            new SeriesKey(key.name(), OverflowLabels.of(key.labels())),
            definition.unit(),
            definition.help(),
            definition.layout(),
            definition.highestTrackableValue());
    PendingSum sum = others.computeIfAbsent(overflow, absent -> new PendingSum(overflow.layout()));
    if (added(sum, maxBytes, counts, sumMinMax, exemplar, startMillis, endMillis)) {
      foldedValues.add(counts.total());
    } else {
      lostValues.add(counts.total());
    }
    if (!isShort) {
      isShort = true;
      LOG.log(
          Level.WARNING,
          "event=upstream_memory_short max_bytes={0} problem=\"what waits for the upstream is"
              + " counted without labels, or lost\"",
          String.valueOf(maxBytes));
    }
  }

  /**
   * Everything there is, as a batch; the one before is framed by now.
   *
   * @param position how far in the journal it reaches
   */
  UpstreamBatch take(long position) {
    List<UpstreamBatch.SummedSeries> parts = new ArrayList<>();
    Iterator<Map.Entry<Series, List<PendingSum>>> all = living.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Series, List<PendingSum>> entry = all.next();
      Series series = entry.getKey();
      for (PendingSum sum : entry.getValue()) {
        if (!sum.isEmpty()) {
          long highest = series.registration(sum.layout()).highestTrackableValue();
          parts.add(sum.take(this::withoutResource, series, highest));
        }
      }
      if (series.hasEnded()) {
        all.remove();
      }
    }
    others.forEach(
        (definition, sum) -> {
          if (!sum.isEmpty()) {
            parts.add(sum.take(this::withoutResource, definition));
          }
        });
    others.clear();
    batchBytes = bytes;
    bytes = 0;
    values = 0;
    oldestMillis = 0;
    hasAsked = false;
    if (isShort && batchBytes + framedBytes.getAsLong() < maxBytes / 2) {
      isShort = false;
      LOG.log(Level.INFO, "event=upstream_memory_enough");
    }
    return new UpstreamBatch(parts, position);
  }

  private SeriesKey withoutResource(SeriesKey key) {
    Map<String, String> left = new TreeMap<>(key.labels().asMap());
    resource.forEach((name, value) -> left.remove(name, value));
    return left.size() == key.labels().size() ? key : new SeriesKey(key.name(), Labels.of(left));
  }

  /** Bytes of the sums, without what was taken. Any thread. */
  long bytes() {
    return bytes;
  }

  /** Values in them. Any thread. */
  long values() {
    return values;
  }

  /** When the oldest of them began, in milliseconds since the epoch; 0 for none. Any thread. */
  long oldestMillis() {
    return oldestMillis;
  }

  /** Values that were counted in overflow series, as memory was short. Any thread. */
  long foldedValues() {
    return foldedValues.get();
  }

  /** Values that are not handed on, as their buckets are not HdrHistogram's. Any thread. */
  long foreignValues() {
    return foreignValues.get();
  }

  /** Values for which there was no memory at all. Any thread. */
  long lostValues() {
    return lostValues.get();
  }
}

package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.route.HeldPartitions;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.StoreRestore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What scrapes and queries read: the committed counts of the partitions of this node, in a store as
 * a sidecar's. It is behind the stores by a commit at most, and never ahead of one, so a counter
 * does not fall when a transaction fails and is done again.
 *
 * <p>A series for which the limits leave no place is not shown at all, and counted: it is whole in
 * the stores, and part of it here would be taken for all. So a series is shown from its beginning,
 * or from when its partition comes. Of two that have the same name and labels one is shown: they
 * differ in their unit, or in which labels are their own, as one sidecar says where it runs and a
 * client below another has labels of these names.
 *
 * <p>Threads of partitions call; what they ask for happens on the merge context, and they wait for
 * it.
 */
final class FleetView {
  private static final Logger LOG = System.getLogger(FleetView.class.getName());

  private static final String NO_MEMORY = "there is no memory for more";

  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  /** What is shown of one partition, one of a name and labels, and how much there is. */
  private static final class OfPartition {
    private final Map<SeriesKey, FleetSeries> shown = new HashMap<>();
    private long stored;

    long hidden() {
      return Math.max(0, stored - shown.size());
    }
  }

  private final SeriesStore store;
  private final Executor mergeContext;
  private final Map<Integer, OfPartition> partitions = new HashMap<>();
  private final DecodedHistogram decoded = new DecodedHistogram();
  private final Map<String, Long> saidNanos = new HashMap<>();
  private volatile long hiddenSeries;
  private volatile HeldPartitions held = new HeldPartitions(Set.of(), 0);

  FleetView(SeriesStore store, Executor mergeContext) {
    this.store = store;
    this.mergeContext = mergeContext;
  }

  /** Series that are not shown. Any thread. */
  long hiddenSeries() {
    return hiddenSeries;
  }

  /** The partitions that are shown whole. Any thread. */
  HeldPartitions held() {
    return held;
  }

  /** All of the partition is shown, and its past can be read. */
  void isWhole(int partition) {
    change(now -> now.add(partition));
  }

  /** From now on the partition is not whole: it is about to be removed. */
  void leaves(int partition) {
    change(now -> now.remove(partition));
  }

  private synchronized void change(Consumer<Set<Integer>> change) {
    Set<Integer> now = new HashSet<>(held.partitions());
    change.accept(now);
    held = new HeldPartitions(now, held.version() + 1);
  }

  /** The windows that it has reach back so far. */
  void restore(int partition, List<RestoredSeries> all) {
    await(
        () -> {
          OfPartition of = partitions.computeIfAbsent(partition, none -> new OfPartition());
          all.forEach(each -> restore(of, each));
          of.stored += all.size();
          countHidden();
        });
  }

  /**
   * Shows what was committed, and takes out what has ended.
   *
   * @param changes in the order in which they were made, as a series may begin and end in one
   *     commit
   * @param stored how many series the partition has by now
   */
  void publish(int partition, List<CommittedChange> changes, long stored) {
    await(
        () -> {
          OfPartition of = partitions.computeIfAbsent(partition, none -> new OfPartition());
          for (CommittedChange change : changes) {
            if (change instanceof MergedSeries merged) {
              add(of, merged);
            } else {
              takeOut(of, change.series());
            }
          }
          of.stored = stored;
          countHidden();
        });
  }

  private void countHidden() {
    hiddenSeries = partitions.values().stream().mapToLong(OfPartition::hidden).sum();
  }

  /** Another node has it from now on, or nobody. */
  void remove(int partition) {
    await(
        () -> {
          OfPartition of = partitions.remove(partition);
          if (of != null) {
            List.copyOf(of.shown.values()).forEach(series -> takeOut(of, series));
            countHidden();
          }
        });
  }

  /** What fails there fails here: a view that is not what was committed must not be read. */
  private void await(Runnable change) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    mergeContext.execute(
        () -> {
          try {
            change.run();
            done.complete(null);
          } catch (Throwable e) {
            done.completeExceptionally(e);
          }
        });
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the view cannot take what was committed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the view takes what was committed", e);
    }
  }

  private void restore(OfPartition of, RestoredSeries restored) {
    if (restored.total().isEmpty() || !hasPlace(restored.series())) {
      return;
    }
    SeriesSum total = restored.total();
    try {
      List<StoreRestore.Total> totals = new ArrayList<>();
      for (SeriesSum.OfLayout part : total.counted()) {
        totals.add(
            new StoreRestore.Total(
                definition(restored.series(), restored.description(), part), counted(part)));
      }
      Series series =
          store
              .restore()
              .whole(
                  totals,
                  Instant.ofEpochMilli(total.createdMillis()),
                  total.intervals(),
                  total.lastSeenMillis());
      if (!isItself(of, restored.series(), series)) {
        return;
      }
      for (Steps.Kept step : restored.recent()) {
        for (SeriesSum.OfLayout part : step.value().whole().counted()) {
          store
              .restore()
              .windows(series, part.layout(), counted(part), step.startMillis(), step.endMillis());
        }
      }
    } catch (RefusedException e) {
      hide(of, restored.series(), e);
    }
  }

  private void add(OfPartition of, MergedSeries merged) {
    FleetSeries key = merged.series();
    if (!key.equals(of.shown.get(key.key())) && !(merged.isNew() && hasPlace(key))) {
      return;
    }
    try {
      for (PendingStep step : merged.steps()) {
        for (SeriesSum.OfLayout part : step.sum().counted()) {
          Series series =
              store.register(
                  definition(key, merged.description(), part),
                  Instant.ofEpochMilli(merged.createdMillis()));
          if (!isItself(of, key, series)) {
            return;
          }
          Accumulation counts = part.counts();
          decoded.start(part.layout(), part.highest());
          counts.counts().appendTo(decoded.counts());
          long before = series.intervals();
          store.merge(
              series,
              decoded,
              step.startMillis(),
              step.endMillis(),
              counts.sumMinMax(),
              counts.exemplar());
          if (series.intervals() == before) {
            hideOverflow(key);
            hide(of, key, NO_MEMORY);
            return;
          }
        }
      }
    } catch (RefusedException e) {
      dropOverflow(key);
      hide(of, key, e);
    }
  }

  /**
   * Where a series has no memory to grow, the store counts what comes in the overflow series of its
   * name. That is part of a series here, so neither is shown: what the other one had of its own, as
   * the overflow series of a sidecar, cannot be told from it any more.
   */
  private void hideOverflow(FleetSeries full) {
    SeriesKey overflow = overflow(full);
    for (OfPartition each : partitions.values()) {
      FleetSeries shown = each.shown.get(overflow);
      if (shown != null) {
        hide(each, shown, NO_MEMORY);
      }
    }
    dropOverflow(full);
  }

  /** One that the store began, and that is not the overflow series of a sidecar. */
  private void dropOverflow(FleetSeries full) {
    SeriesKey overflow = overflow(full);
    boolean isShown =
        partitions.values().stream().anyMatch(each -> each.shown.containsKey(overflow));
    if (!isShown) {
      store.find(overflow).ifPresent(store::remove);
    }
  }

  private static SeriesKey overflow(FleetSeries of) {
    return new SeriesKey(of.key().name(), OverflowLabels.of(of.key().labels()));
  }

  private boolean hasPlace(FleetSeries key) {
    if (store.find(key.key()).isPresent()) {
      say(key, "another one of its name and labels is shown, of another unit or partition");
      return false;
    }
    if (store.series().size() >= store.config().maxSeries()) {
      say(key, "series.max is reached");
      return false;
    }
    return true;
  }

  /** Where memory is short, the store gives an overflow series instead, which is not wanted. */
  private boolean isItself(OfPartition of, FleetSeries key, Series series) {
    if (series.key().equals(key.key())) {
      of.shown.put(key.key(), key);
      return true;
    }
    if (series.intervals() == 0) {
      store.remove(series);
    }
    hide(of, key, NO_MEMORY);
    return false;
  }

  private void hide(OfPartition of, FleetSeries key, RefusedException why) {
    store.countRejected(why.reason());
    hide(of, key, why.reason().label());
  }

  private void hide(OfPartition of, FleetSeries key, String why) {
    takeOut(of, key);
    say(key, why);
  }

  /** Names the first for each reason, and then one a minute. */
  private void say(FleetSeries key, String why) {
    long now = System.nanoTime();
    Long said = saidNanos.get(why);
    if (said == null || now - said >= QUIET_NANOS) {
      saidNanos.put(why, now);
      LOG.log(
          Level.WARNING,
          "event=series_hidden series={0} unit={1} reason=\"{2}\"",
          key.key(),
          key.unit(),
          why);
    }
  }

  private void takeOut(OfPartition of, FleetSeries key) {
    if (of.shown.remove(key.key(), key)) {
      store.find(key.key()).ifPresent(store::remove);
    }
  }

  private static SeriesDefinition definition(
      FleetSeries series, SeriesDescription description, SeriesSum.OfLayout part) {
    return new SeriesDefinition(
        series.key(),
        series.unit(),
        description.help(),
        part.layout(),
        Math.max(description.highestTrackableValue(), part.highest()));
  }

  private static IntervalCounts counted(SeriesSum.OfLayout part) {
    SparseCounts sparse = new SparseCounts();
    part.counts().counts().appendTo(sparse);
    IntervalCounts counted = new IntervalCounts();
    counted.set(sparse, part.counts().sumMinMax());
    return counted;
  }
}

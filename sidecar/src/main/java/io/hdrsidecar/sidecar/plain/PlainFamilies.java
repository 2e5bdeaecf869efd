package io.hdrsidecar.sidecar.plain;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.families.FamilyRegistry;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.plain.RefusedPlainException.Reason;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counters and gauges as families of {@code /metrics}, from all sources together, so that no family
 * is there twice. Those that nobody sends any more end as series do.
 *
 * <p>A name belongs to one kind of thing, from one source. A source with one that a series, a
 * metric of the other type, one of another source or one of ours has is refused; and where a series
 * comes later, it is the one that is shown. A thread for each source writes, any thread collects.
 */
public final class PlainFamilies implements MultiCollector {
  /** Object, key, labels and places in tables, without texts. */
  private static final long SERIES_BYTES = 400;

  private final long expiryMillis;
  private final SeriesStore store;
  private final Map<SeriesKey, PlainSeries> series = new HashMap<>();
  private final Map<String, List<PlainSeries>> byName = new HashMap<>();

  /** What series had on a page at the last tick, or when it was asked for since then. */
  private @Nullable Set<String> taken;

  /**
   * None yet.
   *
   * @param expiry after which one that nobody sends ends; zero for never
   */
  public PlainFamilies(Duration expiry, SeriesStore store) {
    this.expiryMillis = expiry.isZero() ? Long.MAX_VALUE : expiry.toMillis();
    this.store = store;
  }

  /**
   * Another source of them.
   *
   * @param from what they come by, for people
   * @param most how many there may be
   * @param claim of the share of the source, a quarter of which they may hold
   */
  public PlainSource source(String from, int most, HeapClaim claim) {
    return new PlainSource(this, from, most, claim);
  }

  synchronized PlainSeries find(PlainSource source, PlainName name, long nowMillis)
      throws RefusedPlainException {
    String text = name.key().name();
    List<PlainSeries> family = byName.getOrDefault(text, List.of());
    if (!family.isEmpty()) {
      requireSame(family.get(0), source, name);
    }
    PlainSeries known = series.get(name.key());
    if (known != null) {
      return known;
    }
    if (source.isFull()) {
      throw new RefusedPlainException(
          Reason.LIMIT,
          "there are "
              + source.most()
              + " counters and gauges that come by "
              + source.from()
              + ", and there may be no more");
    }
    if (FamilyRegistry.isReserved(text) || (family.isEmpty() && isTaken(text))) {
      throw new RefusedPlainException(Reason.CONFLICT, "name is taken: " + text);
    }
    if (!source.tryAdd(bytesOf(name))) {
      throw new RefusedPlainException(Reason.NO_MEMORY, "no memory for " + text);
    }
    PlainSeries added = new PlainSeries(source, name, nowMillis);
    series.put(name.key(), added);
    byName.computeIfAbsent(text, any -> new ArrayList<>()).add(added);
    return added;
  }

  private static void requireSame(PlainSeries first, PlainSource source, PlainName name)
      throws RefusedPlainException {
    String text = name.key().name();
    if (first.source() != source) {
      throw new RefusedPlainException(
          Reason.CONFLICT,
          "name is that of a metric that comes by " + first.source().from() + ": " + text);
    }
    if (first.name().isCounter() != name.isCounter()) {
      throw new RefusedPlainException(
          Reason.CONFLICT, "counter and gauge cannot share the name " + text);
    }
  }

  synchronized @Nullable PlainSeries known(PlainSource source, PlainName name) {
    PlainSeries known = series.get(name.key());
    boolean isIts =
        known != null && known.source() == source && known.name().isCounter() == name.isCounter();
    return isIts ? known : null;
  }

  /** Looks at all series once between two ticks, however many lines have such a name. */
  private boolean isTaken(String name) {
    Set<String> names = taken;
    if (names == null) {
      names = taken(store.livingSeries());
      taken = names;
    }
    return names.contains(name);
  }

  /** What one takes, in bytes. */
  public static long bytesOf(PlainName name) {
    return SERIES_BYTES + 2L * (name.key().toString().length() + name.help().length());
  }

  synchronized void expire(PlainSource source, long nowMillis) {
    taken = null;
    for (Iterator<PlainSeries> all = series.values().iterator(); all.hasNext(); ) {
      PlainSeries each = all.next();
      if (each.source() == source && isOver(each, nowMillis)) {
        all.remove();
        ended(each);
      }
    }
  }

  private boolean isOver(PlainSeries each, long nowMillis) {
    return nowMillis - each.usedAtMillis() >= expiryMillis || isTaken(each.name().key().name());
  }

  synchronized void end(PlainSeries last) {
    if (!last.hasEnded()) {
      series.remove(last.name().key());
      ended(last);
    }
  }

  private void ended(PlainSeries last) {
    last.end();
    String text = last.name().key().name();
    List<PlainSeries> family = byName.get(text);
    if (family != null && family.remove(last) && family.isEmpty()) {
      byName.remove(text);
    }
    last.source().removed(bytesOf(last.name()));
  }

  /** The names of what series have on a page. */
  private static Set<String> taken(Collection<Series> living) {
    Set<String> names = new HashSet<>();
    for (Series each : living) {
      each.metricNames().all().forEach(names::add);
    }
    return names;
  }

  @Override
  public MetricSnapshots collect() {
    List<PlainSeries> all;
    synchronized (this) {
      all = List.copyOf(series.values());
    }
    if (all.isEmpty()) {
      return MetricSnapshots.of();
    }
    Set<String> taken = taken(store.livingSeries());
    Map<String, List<PlainSeries>> shown = new TreeMap<>();
    for (PlainSeries each : all) {
      String name = each.name().key().name();
      if (!taken.contains(name)) {
        shown.computeIfAbsent(name, any -> new ArrayList<>()).add(each);
      }
    }
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    shown.forEach((name, family) -> snapshots.metricSnapshot(snapshot(name, family)));
    return snapshots.build();
  }

  private static MetricSnapshot snapshot(String name, List<PlainSeries> family) {
    PlainName first = family.get(0).name();
    String from = family.get(0).source().from();
    String help =
        first.help().isEmpty()
            ? (first.isCounter() ? "Counter" : "Gauge") + " that came by " + from + "."
            : first.help();
    CounterSnapshot.Builder counters = CounterSnapshot.builder().name(name).help(help);
    GaugeSnapshot.Builder gauges = GaugeSnapshot.builder().name(name).help(help);
    for (PlainSeries each : family) {
      if (first.isCounter()) {
        counters.dataPoint(
            CounterDataPointSnapshot.builder()
                .labels(labels(each))
                .value(each.value())
                .createdTimestampMillis(each.sinceMillis())
                .build());
      } else {
        gauges.dataPoint(
            GaugeDataPointSnapshot.builder().labels(labels(each)).value(each.value()).build());
      }
    }
    return first.isCounter() ? counters.build() : gauges.build();
  }

  private static Labels labels(PlainSeries series) {
    Labels.Builder labels = Labels.builder();
    series.name().key().labels().forEach(labels::label);
    return labels.build();
  }
}

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counters and gauges that came by StatsD, as families of {@code /metrics}. There are at most so
 * many, they are taken from StatsD's share of the heap, and those that nobody sends any more end as
 * series do.
 *
 * <p>A name belongs to one kind of thing. Who comes with one that a series, a metric of the other
 * type or one of ours has is refused; and where a series comes later, it is the one that is shown.
 * The thread that reads the sockets writes, any thread collects.
 */
public final class PlainFamilies implements MultiCollector {
  /** Object, key, labels and places in tables, without texts. */
  private static final long SERIES_BYTES = 400;

  /** A part of what StatsD may hold at most, so that values have room. */
  private static final int PART = 4;

  private final int most;
  private final long expiryMillis;
  private final HeapClaim claim;
  private final long mostBytes;
  private final SeriesStore store;
  private final Map<SeriesKey, PlainSeries> series = new ConcurrentHashMap<>();
  private final Map<String, List<PlainSeries>> byName = new HashMap<>();

  /** What series had on a page at the last tick, or when it was asked for since then. */
  private @Nullable Set<String> taken;

  private long bytes;

  /**
   * None yet.
   *
   * @param most how many there may be
   * @param expiry after which one that nobody sends ends; zero for never
   * @param claim of the share of StatsD
   */
  public PlainFamilies(int most, Duration expiry, HeapClaim claim, SeriesStore store) {
    this.most = most;
    this.expiryMillis = expiry.isZero() ? Long.MAX_VALUE : expiry.toMillis();
    this.claim = claim;
    this.mostBytes = claim.roomBytes() / PART;
    this.store = store;
  }

  /**
   * The one of this name, which may be new.
   *
   * @throws RefusedPlainException when there is none, and may be none
   */
  public PlainSeries find(PlainName name, long nowMillis) throws RefusedPlainException {
    PlainSeries known = series.get(name.key());
    String text = name.key().name();
    List<PlainSeries> family = byName.getOrDefault(text, List.of());
    if (!family.isEmpty() && family.get(0).name().isCounter() != name.isCounter()) {
      throw new RefusedPlainException(
          Reason.CONFLICT, "counter and gauge cannot share the name " + text);
    }
    if (known != null) {
      return known;
    }
    if (series.size() >= most) {
      throw new RefusedPlainException(Reason.LIMIT, "there are " + most);
    }
    if (FamilyRegistry.isReserved(text) || (family.isEmpty() && isTaken(text))) {
      throw new RefusedPlainException(Reason.CONFLICT, "name is taken: " + text);
    }
    long more = bytesOf(name);
    if (bytes + more > mostBytes || claim.roomBytes() < more || !claim.tryGrow(more)) {
      throw new RefusedPlainException(Reason.NO_MEMORY, "no memory for " + text);
    }
    bytes += more;
    PlainSeries added = new PlainSeries(name, nowMillis);
    series.put(name.key(), added);
    byName.computeIfAbsent(text, any -> new ArrayList<>()).add(added);
    return added;
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

  /** Ends those that nobody has sent for so long, and those whose name a series has taken. */
  public void expire(long nowMillis) {
    taken = null;
    series
        .values()
        .removeIf(
            each -> {
              boolean isOver =
                  nowMillis - each.usedAtMillis() >= expiryMillis
                      || isTaken(each.name().key().name());
              if (isOver) {
                end(each);
              }
              return isOver;
            });
  }

  private void end(PlainSeries last) {
    last.end();
    String text = last.name().key().name();
    List<PlainSeries> family = byName.get(text);
    if (family != null && family.remove(last) && family.isEmpty()) {
      byName.remove(text);
    }
    long less = bytesOf(last.name());
    bytes -= less;
    claim.shrink(less);
  }

  /** How many there are. Any thread. */
  public int size() {
    return series.size();
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
    if (series.isEmpty()) {
      return MetricSnapshots.of();
    }
    Set<String> taken = taken(store.livingSeries());
    Map<String, List<PlainSeries>> shown = new TreeMap<>();
    for (PlainSeries each : series.values()) {
      String name = each.name().key().name();
      if (!taken.contains(name)) {
        shown.computeIfAbsent(name, any -> new ArrayList<>()).add(each);
      }
    }
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    shown.forEach((name, family) -> snapshots.metricSnapshot(snapshot(name, family)));
    return snapshots.build();
  }

  /** While one type ends and the other begins, those of the first that is seen. */
  private static MetricSnapshot snapshot(String name, List<PlainSeries> family) {
    PlainName first = family.get(0).name();
    String help =
        first.help().isEmpty()
            ? (first.isCounter() ? "Counter" : "Gauge") + " that came by StatsD."
            : first.help();
    CounterSnapshot.Builder counters = CounterSnapshot.builder().name(name).help(help);
    GaugeSnapshot.Builder gauges = GaugeSnapshot.builder().name(name).help(help);
    for (PlainSeries each : family) {
      if (first.isCounter() && each.name().isCounter()) {
        counters.dataPoint(
            CounterDataPointSnapshot.builder()
                .labels(labels(each))
                .value(each.value())
                .createdTimestampMillis(each.sinceMillis())
                .build());
      } else if (!first.isCounter() && !each.name().isCounter()) {
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

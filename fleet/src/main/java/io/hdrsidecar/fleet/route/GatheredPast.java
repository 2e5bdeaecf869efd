package io.hdrsidecar.fleet.route;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.history.RecordRanges;
import io.hdrsidecar.sidecar.query.NeededSeries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The past that nodes have told of, as far as a query needs it. One thread at a time. */
final class GatheredPast implements PastSource {
  /** An interval as it came. It is read when it is added up. */
  private static final class GatheredInterval implements PastInterval {
    private final long startMillis;
    private final long endMillis;
    private final byte[] bytes;
    private final CountsBytes counts;

    GatheredInterval(long startMillis, long endMillis, byte[] bytes, CountsBytes counts) {
      this.startMillis = startMillis;
      this.endMillis = endMillis;
      this.bytes = bytes;
      this.counts = counts;
    }

    @Override
    public long startMillis() {
      return startMillis;
    }

    @Override
    public long endMillis() {
      return endMillis;
    }

    @Override
    public void addTo(IntervalSum sum) {
      counts.read(bytes, sum::add);
    }
  }

  /** A series on one node. */
  private record OfSeries(PastSeries series, List<PastInterval> intervals) {}

  private final NeededSeries needs;
  private final CountsBytes counts;
  private final List<OfSeries> all = new ArrayList<>();
  private final Map<PastSeries, List<OfSeries>> byKey = new HashMap<>();
  private HistoryExtent extent = HistoryExtent.EMPTY;

  GatheredPast(NeededSeries needs, CountsBytes counts) {
    this.needs = needs;
    this.counts = counts;
  }

  /** A node has something between these times. */
  void reaches(long fromMillis, long toMillis) {
    extent = extent.and(new HistoryExtent(fromMillis, toMillis));
  }

  /** A node has this series; what is given is to be filled with its intervals. */
  List<PastInterval> add(PastSeries series) {
    OfSeries added = new OfSeries(series, new ArrayList<>());
    all.add(added);
    byKey.computeIfAbsent(named(series), none -> new ArrayList<>(1)).add(added);
    return added.intervals();
  }

  private static PastSeries named(PastSeries series) {
    return PastSeries.of(series.key(), series.unit());
  }

  PastInterval interval(long startMillis, long endMillis, byte[] bytes) {
    return new GatheredInterval(startMillis, endMillis, bytes, counts);
  }

  @Override
  public String name() {
    return "steps";
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public HistoryExtent extent() {
    return extent;
  }

  /** Throws IllegalStateException for a time of which nobody was asked: that would have a gap. */
  @Override
  public PastReading open(long fromMillis, long toMillis) {
    if (fromMillis < needs.fromMillis() || toMillis > needs.toMillis()) {
      throw new IllegalStateException(
          "a question reads from %d to %d and needed %s"
              .formatted(fromMillis, toMillis, needs.fromMillis() + " to " + needs.toMillis()));
    }
    return new GatheredReading(fromMillis, toMillis);
  }

  private final class GatheredReading implements PastReading {
    private final long fromMillis;
    private final long toMillis;

    GatheredReading(long fromMillis, long toMillis) {
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
    }

    private boolean overlaps(long from, long to) {
      return from < toMillis && to > fromMillis;
    }

    @Override
    public List<PastSeries> series() {
      return all.stream()
          .map(OfSeries::series)
          .filter(each -> overlaps(each.fromMillis(), each.toMillis()))
          .toList();
    }

    @Override
    public boolean hasAll(long firstRecord, long lastRecord) {
      return true; // Nothing of it is in memory.
    }

    @Override
    public List<PastInterval> intervals(
        PastSeries series, Map<BucketLayout, RecordRanges> except, int limit) {
      List<PastInterval> found = new ArrayList<>();
      for (OfSeries each : byKey.getOrDefault(named(series), List.of())) {
        for (PastInterval interval : each.intervals()) {
          if (found.size() > limit) {
            return found;
          }
          if (overlaps(interval.startMillis(), interval.endMillis())) {
            found.add(interval);
          }
        }
      }
      return found;
    }

    @Override
    public List<String> warnings() {
      return List.of();
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}

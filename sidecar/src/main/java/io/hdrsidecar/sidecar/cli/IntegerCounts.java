package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Counts of integers: pages of counters for each layout that occurs. */
final class IntegerCounts extends ValueCounts {
  /** Logs carry no sum and no extremes; readers ask for means and buckets instead. */
  private static final SumMinMax NONE = SumMinMax.of(0, 0, /* exact= */ false, 0, Long.MAX_VALUE);

  /** One layout. HdrHistogram's output tells the range of the first entry; a log that of all. */
  static final class LayoutPart {
    private final PagedCounts counts;
    private final long firstHighestTrackable;
    private long highestTrackable;

    private LayoutPart(LogEntry first) {
      counts = new PagedCounts(first.layout());
      firstHighestTrackable = first.highestTrackable();
    }

    PagedCounts counts() {
      return counts;
    }

    /** The highest that one of the entries could hold. */
    long highestTrackable() {
      return highestTrackable;
    }
  }

  private record Bucket(Number lowest, Number highest, long count) {}

  private final List<LayoutPart> parts = new ArrayList<>();
  private final Distribution joined = new Distribution();
  private boolean isJoined;

  @Override
  void add(LogEntry entry) {
    isJoined = false;
    LayoutPart part = partFor(entry);
    part.counts.add(entry.counts());
    part.highestTrackable = Math.max(part.highestTrackable, entry.highestTrackable());
  }

  @Override
  void subtract(LogEntry entry) {
    isJoined = false;
    partFor(entry).counts.subtract(entry.counts());
  }

  /** Almost always there is one part, or a few: a walk is quicker than a map. */
  private LayoutPart partFor(LogEntry entry) {
    BucketLayout layout = entry.layout();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).counts.layout().equals(layout)) {
        return parts.get(i);
      }
    }
    LayoutPart part = new LayoutPart(entry);
    parts.add(part);
    return part;
  }

  /** The counts of each layout, in the order in which they occurred. */
  List<LayoutPart> parts() {
    return List.copyOf(parts);
  }

  private Distribution joined() {
    if (!isJoined) {
      joined.clear();
      for (LayoutPart part : parts) {
        joined.add(part.counts, NONE);
      }
      isJoined = true;
    }
    return joined;
  }

  @Override
  long count() {
    long total = 0;
    for (int i = 0; i < parts.size(); i++) {
      total = Math.addExact(total, parts.get(i).counts.total());
    }
    return total;
  }

  @Override
  double valueAtPercentile(double percentile) {
    return joined().valueAtPercentile(percentile);
  }

  @Override
  double minimum() {
    return joined().size() == 0 ? 0 : joined().lowestAt(0);
  }

  @Override
  double maximum() {
    return joined().size() == 0 ? 0 : joined().highestAt(joined().size() - 1);
  }

  @Override
  double mean() {
    Distribution all = joined();
    double sum = 0;
    for (int i = 0; i < all.size(); i++) {
      long width = all.highestAt(i) - all.lowestAt(i) + 1;
      sum += (all.lowestAt(i) + (width >> 1)) * (double) all.countAt(i);
    }
    return all.size() == 0 ? 0 : sum / all.count();
  }

  @Override
  double standardDeviation() {
    Distribution all = joined();
    double mean = mean();
    double squares = 0;
    for (int i = 0; i < all.size(); i++) {
      long width = all.highestAt(i) - all.lowestAt(i) + 1;
      double deviation = all.lowestAt(i) + (width >> 1) - mean;
      squares += deviation * deviation * all.countAt(i);
    }
    return all.size() == 0 ? 0 : Math.sqrt(squares / all.count());
  }

  @Override
  void forEach(BucketVisitor visitor) {
    Distribution all = joined();
    for (int i = 0; i < all.size(); i++) {
      visitor.visit(all.lowestAt(i), all.highestAt(i), all.countAt(i));
    }
  }

  @Override
  boolean hasSameBucketsAs(ValueCounts other) {
    if (!(other instanceof IntegerCounts that) || !layouts().equals(that.layouts())) {
      return false;
    }
    List<Bucket> mine = new ArrayList<>();
    List<Bucket> theirs = new ArrayList<>();
    forEach((lowest, highest, count) -> mine.add(new Bucket(lowest, highest, count)));
    that.forEach((lowest, highest, count) -> theirs.add(new Bucket(lowest, highest, count)));
    return mine.equals(theirs);
  }

  private Set<BucketLayout> layouts() {
    Set<BucketLayout> layouts = new HashSet<>();
    for (LayoutPart part : parts) {
      if (part.counts.total() > 0) {
        layouts.add(part.counts.layout());
      }
    }
    return layouts;
  }

  @Override
  void printDistribution(PrintStream out, int ticks, double ratio, boolean csv) {
    histogram().outputPercentileDistribution(out, ticks, ratio, csv);
  }

  /**
   * Of one layout, the histogram that HistogramLogProcessor adds up: with the range of the first
   * interval, which the last line of its output shows.
   */
  private Histogram histogram() {
    if (parts.size() != 1) {
      return joined().toHistogram();
    }
    PagedCounts counts = parts.get(0).counts;
    BucketLayout layout = counts.layout();
    Histogram histogram =
        new Histogram(
            layout.lowestDiscernibleValue(),
            parts.get(0).firstHighestTrackable,
            layout.significantDigits());
    histogram.setAutoResize(true);
    counts.forEach(
        (index, count) -> histogram.recordValueWithCount(layout.highestValueAt(index), count));
    return histogram;
  }
}

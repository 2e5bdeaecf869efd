package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One result of {@code summarize}: what all selected intervals of one tag, or of all, counted. */
final class Summary {
  private final String tag;
  private final ValueCounts counts;
  private final TimeSpans spans = new TimeSpans();
  private final CommonUnit unit;

  /**
   * Nothing is added yet.
   *
   * @param unit of all values, whatever logs say; null to take it from them
   */
  Summary(String tag, LogEntry first, @Nullable Unit unit) {
    this.tag = tag;
    this.unit = new CommonUnit(unit, "summarize them apart, or say --unit if all have the same");
    this.counts = ValueCounts.like(first);
  }

  String tag() {
    return tag;
  }

  /** Adds the scan's interval, or leaves it out with a warning. */
  void add(LogScan scan) throws IOException {
    if (unit.accepts(scan) && counts.addOrRefuse(scan)) {
      spans.add(scan.file(), scan.interval().startMillis(), scan.interval().endMillis());
    }
  }

  void printPercentiles(PrintStream out, double ratio, List<Double> percentiles) {
    String prefix = tag.isEmpty() ? "" : tag + ".";
    long count = counts.count();
    long period = spans.coveredMillis();
    out.printf(Locale.ROOT, "%sTotalCount=%d%n", prefix, count);
    out.printf(Locale.ROOT, "%sPeriod(ms)=%d%n", prefix, period);
    if (period > 0) { // A log whose only interval has no length has no throughput either.
      out.printf(Locale.ROOT, "%sThroughput(ops/sec)=%.2f%n", prefix, count * 1000.0 / period);
    }
    out.printf("%sUnit=%s%n", prefix, unitText(ratio));
    out.printf("%sMin=%s%n", prefix, NumberText.value(counts.minimum(), ratio));
    out.printf(Locale.ROOT, "%sMean=%.2f%n", prefix, counts.mean() / ratio);
    out.printf(Locale.ROOT, "%sStdDev=%.2f%n", prefix, counts.standardDeviation() / ratio);
    for (double percentile : percentiles) {
      String value = NumberText.value(counts.valueAtPercentile(percentile), ratio);
      out.printf("%s%sptile=%s%n", prefix, NumberText.paddedPercentile(percentile), value);
    }
    out.printf("%sMax=%s%n", prefix, NumberText.value(counts.maximum(), ratio));
  }

  /** Of the values as they are shown. */
  private String unitText(double ratio) {
    Unit ofValues = unit.unit();
    if (ofValues == null) {
      return "unknown";
    }
    for (ValueUnit shown : ValueUnit.values()) {
      if (shown.isTime() && ofValues == Unit.NANOSECONDS && shown.nanos() == ratio) {
        return shown.name().toLowerCase(Locale.ROOT);
      }
    }
    String times = ratio == 1 ? "" : NumberText.percentile(ratio) + " ";
    return times + ofValues.symbol();
  }

  void printDistribution(PrintStream out, double ratio, int ticks, boolean csv) {
    counts.printDistribution(out, ticks, ratio, csv);
  }

  /**
   * Counts of ranges of equal width, from the one with the smallest value to the one with the
   * largest; a bucket is counted once, at its highest value. Empty ranges are left out.
   */
  void printBuckets(PrintStream out, double ratio, double width) {
    out.println("BucketStart,Count");
    double[] start = {Double.NEGATIVE_INFINITY};
    long[] count = {0};
    counts.forEach(
        (lowest, highest, added) -> {
          double range = Math.floor(highest.doubleValue() / ratio / width) * width;
          if (range != start[0]) {
            printBucket(out, start[0], count[0]);
            start[0] = range;
            count[0] = 0;
          }
          count[0] += added;
        });
    printBucket(out, start[0], count[0]);
  }

  private static void printBucket(PrintStream out, double start, long count) {
    if (count > 0) {
      String text = NumberText.value(start, 1);
      out.printf(Locale.ROOT, "%s,%d%n", text, count);
    }
  }
}

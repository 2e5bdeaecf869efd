package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.PackedHistogram;

/**
 * What the client is told to record, as lines, and what must come of it. The latter follows from
 * the raw values and HdrHistogram's own buckets, not from anything that the client sends.
 */
final class ClientProgram {
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private final SplittableRandom random;
  private final List<SeriesPlan> series = new ArrayList<>();
  private final Map<Integer, PackedHistogram> buckets = new TreeMap<>();
  private final Map<String, ValueSum> expected = new TreeMap<>();

  ClientProgram(SplittableRandom random) {
    this.random = random;
  }

  /** A series of each kind: units, digits, ranges, labels. */
  void addOneOfEachKind() {
    add("conformance_calls", Unit.NANOSECONDS, 1, HOUR_NANOS, 3, Labels.of("route", "/pay?a=b"));
    add("conformance_calls", Unit.NANOSECONDS, 1, HOUR_NANOS, 3, Labels.of("route", "Zürich=✓"));
    add("conformance_coarse", Unit.MICROSECONDS, 1, 60_000_000, 0, Labels.empty());
    add("conformance_fine", Unit.MILLISECONDS, 1, 3_600_000, 5, Labels.of("a", "1", "b", "2"));
    add("conformance_size", Unit.BYTES, 1024, 1L << 40, 2, Labels.of("kind", "upload"));
    add("conformance_plain", Unit.NONE, 1, 1L << 40, 4, Labels.empty());
    add("conformance_slow", Unit.SECONDS, 1, 86_400, 3, Labels.empty());
  }

  /** So many series that differ in a label. */
  void addSeries(int number) {
    for (int i = 0; i < number; i++) {
      Labels labels = Labels.of("route", "/" + (series.size() + 1));
      add("conformance_calls", Unit.NANOSECONDS, 1, HOUR_NANOS, 3, labels);
    }
  }

  /** One of a single kind. */
  SeriesPlan add(String name, Unit unit, long lowest, long highest, int digits, Labels labels) {
    SeriesKey key = new SeriesKey(name, labels);
    SeriesPlan plan = new SeriesPlan(series.size() + 1, key, unit, lowest, highest, digits);
    series.add(plan);
    buckets.put(plan.number(), new PackedHistogram(lowest, highest, digits));
    return plan;
  }

  List<SeriesPlan> series() {
    return series;
  }

  /** Values of all series, spread over all magnitudes of their ranges. */
  List<String> record(int values) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      SeriesPlan plan = series.get(i % series.size());
      long value = value(plan.highest());
      long times = random.nextInt(10) == 0 ? random.nextInt(2, 100) : 1;
      lines.add(record(plan, value, times));
    }
    return lines;
  }

  /** A value that a client may have to bring into the range. */
  String record(SeriesPlan plan, long value, long times) {
    long counted = Math.max(0, Math.min(value, plan.highest()));
    count(plan, plan.key(), counted, times);
    return "record " + plan.number() + " " + value + (times == 1 ? "" : " " + times);
  }

  /** A value of a caller that waits for each answer; the corrected series has what it missed. */
  String expected(SeriesPlan plan, long value, long interval) {
    count(plan, plan.key(), value, 1);
    for (long missed = value; missed == value || missed >= interval; missed -= interval) {
      count(plan, plan.correctedKey(), missed, 1);
    }
    return "expected " + plan.number() + " " + value + " " + interval;
  }

  private void count(SeriesPlan plan, SeriesKey key, long value, long times) {
    PackedHistogram histogram = buckets.get(plan.number());
    if (histogram != null) {
      expected
          .computeIfAbsent(key.toString(), absent -> new ValueSum())
          .add(histogram.lowestEquivalentValue(value), value, times);
    }
  }

  /** Every magnitude as likely as any other, and now and then an edge. */
  private long value(long highest) {
    int magnitude = random.nextInt(64 - Long.numberOfLeadingZeros(highest) + 1);
    return switch (random.nextInt(50)) {
      case 0 -> 0;
      case 1 -> highest;
      default -> Math.min(highest, random.nextLong(1L << magnitude));
    };
  }

  /** By series as PromQL writes it, without common labels. */
  Map<String, ValueSum> expected() {
    return expected;
  }
}

package io.hdrsidecar.tests.promql;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.tests.support.RawClient;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One series of durations whose every value is known, second by second.
 *
 * @param layouts in which its seconds are sent, in turn
 * @param seconds of each second the values, in nanoseconds
 */
record RecordedSeries(
    String name, Map<String, String> labels, List<BucketLayout> layouts, List<long[]> seconds) {
  static final double NANOS = 1e9;

  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;

  /** Log-normal around that many milliseconds, one in fifty ten times as slow; seconds differ. */
  static RecordedSeries drawn(
      String name, Map<String, String> labels, double millis, int seconds, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return of(
        name,
        labels,
        seconds,
        second -> {
          double swing = 1 + 0.5 * Math.sin(second / 9.0);
          return values(random, 17 + random.nextInt(40), millis * swing);
        });
  }

  /** The same values each second, so that there is nothing that an extrapolation could miss. */
  static RecordedSeries steady(
      String name, Map<String, String> labels, double millis, int seconds, long seed) {
    long[] each = values(new SplittableRandom(seed), 61, millis);
    return of(name, labels, seconds, second -> each);
  }

  private static RecordedSeries of(
      String name, Map<String, String> labels, int seconds, IntFunction<long[]> values) {
    return new RecordedSeries(
        name,
        new TreeMap<>(labels),
        List.of(LAYOUT),
        IntStream.range(0, seconds).mapToObj(values).toList());
  }

  /** The same values, sent in these layouts in turn. */
  RecordedSeries in(BucketLayout... turns) {
    return new RecordedSeries(name, labels, List.of(turns), seconds);
  }

  private static long[] values(SplittableRandom random, int count, double millis) {
    return LongStream.generate(
            () -> {
              double slow = random.nextInt(50) == 0 ? 10 : 1;
              return (long) (millis * 1e6 * slow * Math.exp(0.7 * random.nextGaussian()));
            })
        .limit(count)
        .toArray();
  }

  /** Some of its seconds; the others are empty. */
  RecordedSeries only(IntPredicate chosen) {
    return of(
            name,
            labels,
            seconds.size(),
            second -> chosen.test(second) ? seconds.get(second) : new long[0])
        .in(layouts.toArray(BucketLayout[]::new));
  }

  /** The metric of its histogram. */
  String metric() {
    return name + "_seconds";
  }

  /**
   * Sends it to a sidecar, a second at a time, the first of which begins at the origin.
   *
   * @param id of the first layout; the others have those behind it
   */
  void send(RawClient client, int id, long originMillis) throws Exception {
    SeriesKey key = new SeriesKey(name, Labels.of(labels));
    for (int i = 0; i < layouts.size(); i++) {
      client.declare(
          id + i, new SeriesDefinition(key, Unit.NANOSECONDS, "", layouts.get(i), HIGHEST));
    }
    for (int second = 0; second < seconds.size(); second++) {
      if (seconds.get(second).length == 0) {
        continue;
      }
      int turn = second % layouts.size();
      BucketLayout layout = layouts.get(turn);
      Accumulation counted = new Accumulation(layout);
      for (long value : seconds.get(second)) {
        counted.counts().add(layout.indexOf(value), 1);
        counted.sum().add(value);
        counted.widen(value, value);
      }
      long start = originMillis + second * 1000L;
      client.send(id + turn, counted, HIGHEST, start, start + 1000);
    }
  }
}

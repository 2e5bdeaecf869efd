package io.hdrsidecar.sidecar.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Fills a store to the last counter of the last step and prints what the heap holds of it. A
 * process of its own: where other tests have run, their garbage may become unreachable between two
 * readings.
 */
final class FullStore {
  static final int MAX_SERIES = 6;
  private static final long HIGHEST = 1L << 42;

  /** Both use nearly all counters that are allowed: 4736 and 4608. */
  private static final List<BucketLayout> LAYOUTS =
      List.of(BucketLayout.of(1, 2), BucketLayout.of(2, 2));

  static final MergeConfig CONFIG =
      new MergeConfig(
          MAX_SERIES, 2, 4736, WindowSpec.parseList("1m/2s,10s"), 2048, Duration.ofMinutes(15));

  /** In LEB128 as long as a count can be while 60 steps of 5000 buckets fit in 63 bits. */
  private static final long LONG_COUNT = 1L << 43;

  private final HandTurnedClock clock = new HandTurnedClock();

  private FullStore() {}

  /** Prints {@code held=<bytes> told=<bytes> series=<number> rejected=<number>}. */
  public static void main(String[] args) throws Exception {
    FullStore full = new FullStore();
    List<DecodedHistogram> intervals = new ArrayList<>();
    for (BucketLayout layout : LAYOUTS) {
      intervals.add(every(layout));
    }
    long before = usedHeap();

    SeriesStore store = new SeriesStore(CONFIG, full.clock, full.clock);
    full.fill(store, intervals);

    long held = usedHeap() - before;
    System.out.printf(
        "held=%d told=%d series=%d rejected=%d%n",
        held, store.status().bytes(), store.series().size(), store.status().rejected().size());
  }

  private void fill(SeriesStore store, List<DecodedHistogram> intervals) throws Exception {
    for (int second = 0; second < 70; second++) {
      clock.advance(Duration.ofSeconds(1));
      store.advanceWindows();
      for (int i = 0; i < 2 * MAX_SERIES; i++) {
        for (int layout = 0; layout < LAYOUTS.size(); layout++) {
          Series series = store.register(definition(i, LAYOUTS.get(layout)));
          long now = clock.millis();
          store.merge(
              series, intervals.get(layout), now, now, SumMinMax.of(0, 1, true, 0, HIGHEST - 1));
        }
      }
    }
  }

  /** Names of their own, so that each beyond the limit has an overflow series of its own. */
  private static SeriesDefinition definition(int i, BucketLayout layout) {
    TreeMap<String, String> labels = new TreeMap<>();
    int rest = CONFIG.maxLabelLength();
    for (int label = 0; label < 32; label++) {
      String name = String.format("l%02d", label);
      int length = Math.min(rest - name.length(), label == 31 ? rest : 61);
      labels.put(name, "\u732b".repeat(length)); // two bytes in a string
      rest -= name.length() + length;
    }
    String name = String.format("n%02d", i) + "n".repeat(197);
    return new SeriesDefinition(
        new SeriesKey(name, Labels.of(labels)),
        Unit.NANOSECONDS,
        "\u732b".repeat(1024),
        layout,
        HIGHEST - 1);
  }

  private static DecodedHistogram every(BucketLayout layout) {
    PagedCounts counts = new PagedCounts(layout);
    int counters = layout.countersUpTo(HIGHEST - 1);
    assertThat(counters).isBetween(CONFIG.maxCounters() * 9 / 10, CONFIG.maxCounters());
    for (int i = 0; i < counters; i++) {
      counts.add(i, LONG_COUNT);
    }
    return Intervals.decoded(counts);
  }

  /** What is reachable: the least of what is used after several collections. */
  private static long usedHeap() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }
}

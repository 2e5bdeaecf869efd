package io.hdrsidecar.sidecar.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.interval.PagedCounts;
import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.interval.SeriesKey;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.hdrsidecar.wire.DecodedHistogram;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stated bound against a store that is full: measured on the heap, not asked of the store. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StoreMemoryTest {
  private static final int MAX_SERIES = 6;
  private static final long HIGHEST = 1L << 42;

  /** Both use nearly all counters that are allowed: 4736 and 4608. */
  private static final List<BucketLayout> LAYOUTS =
      List.of(BucketLayout.of(1, 2), BucketLayout.of(2, 2));

  private static final MergeConfig CONFIG =
      new MergeConfig(
          MAX_SERIES, 2, 4736, WindowSpec.parseList("1m/2s,10s"), 2048, Duration.ofMinutes(15));

  /** In LEB128 as long as a count can be while 60 steps of 5000 buckets fit in 63 bits. */
  private static final long LONG_COUNT = 1L << 43;

  private final HandTurnedClock clock = new HandTurnedClock();

  @Test
  void items_everyCounterOfEverySeriesAndStepUsed_areAboveWhatIsHeldAndNotFarAbove()
      throws Exception {
    List<DecodedHistogram> intervals = new ArrayList<>();
    for (BucketLayout layout : LAYOUTS) {
      intervals.add(every(layout));
    }
    long before = usedHeap();

    SeriesStore store = new SeriesStore(CONFIG, clock, clock);
    fill(store, intervals);

    long held = usedHeap() - before;
    List<MemoryItem> items = StoreMemory.items(CONFIG);
    long bound = items.stream().mapToLong(MemoryItem::maxBytes).sum();
    System.out.printf(
        "memory bound: series=%d held=%d B told by the store=%d B bound=%d B (%s)%n",
        store.series().size(), held, store.status().bytes(), bound, text(items));
    assertThat(store.series()).hasSize(2 * MAX_SERIES);
    assertThat(store.status().rejected()).isEmpty();
    assertThat(held).isLessThanOrEqualTo(bound).isGreaterThan(bound / 4);
    assertThat(store.status().bytes()).isBetween(held / 2, bound);
  }

  @Test
  void items_limitsAtTheirHighest_sayTheLargestNumberInsteadOfAWrongOne() {
    MergeConfig config =
        new MergeConfig(10_000_000, 64, Integer.MAX_VALUE, WindowSpec.parseList("1h/1s,2h/2s"));

    assertThat(StoreMemory.heldBytes(config)).isEqualTo(Long.MAX_VALUE);
    assertThat(StoreMemory.items(config).get(1).maxBytes()).isEqualTo(Long.MAX_VALUE);
  }

  private void fill(SeriesStore store, List<DecodedHistogram> intervals) throws Exception {
    for (int second = 0; second < 70; second++) {
      clock.advance(Duration.ofSeconds(1));
      store.advanceWindows();
      for (int i = 0; i < 2 * MAX_SERIES; i++) {
        for (int layout = 0; layout < LAYOUTS.size(); layout++) {
          Series series = store.register(definition(i, LAYOUTS.get(layout)));
          long now = clock.millis();
          store.merge(series, intervals.get(layout), now, now, 0, 1, 0, HIGHEST - 1);
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

  private static String text(List<MemoryItem> items) {
    return items.stream()
        .map(item -> item.name() + "=" + item.maxBytes())
        .collect(Collectors.joining(" "));
  }
}

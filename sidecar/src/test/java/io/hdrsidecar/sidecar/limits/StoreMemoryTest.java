package io.hdrsidecar.sidecar.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.hdrsidecar.testing.JavaProgram;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stated bound against a store that is full: measured on the heap, not asked of the store. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StoreMemoryTest {
  private static final Pattern PRINTED =
      Pattern.compile("held=(-?\\d+) told=(\\d+) series=(\\d+) rejected=(\\d+)");

  @Test
  void items_everyCounterOfEverySeriesAndStepUsed_areAboveWhatIsHeldAndNotFarAbove()
      throws Exception {
    MatchResult full = fullStore();
    long held = Long.parseLong(full.group(1));
    long told = Long.parseLong(full.group(2));

    List<MemoryItem> items = StoreMemory.items(FullStore.CONFIG);
    long bound = items.stream().mapToLong(MemoryItem::maxBytes).sum();
    System.out.printf(
        "memory bound: series=%s held=%d B told by the store=%d B bound=%d B (%s)%n",
        full.group(3), held, told, bound, text(items));
    assertThat(full.group(3)).isEqualTo(Integer.toString(2 * FullStore.MAX_SERIES));
    assertThat(full.group(4)).isEqualTo("0");
    assertThat(held).isLessThanOrEqualTo(bound).isGreaterThan(bound / 4);
    assertThat(told).isBetween(held / 2, bound);
  }

  @Test
  void items_limitsAtTheirHighest_sayTheLargestNumberInsteadOfAWrongOne() {
    MergeConfig config =
        new MergeConfig(10_000_000, 64, Integer.MAX_VALUE, WindowSpec.parseList("1h/1s,2h/2s"));

    assertThat(StoreMemory.heldBytes(config)).isEqualTo(Long.MAX_VALUE);
    assertThat(StoreMemory.items(config).get(1).maxBytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void items_budgetBelowTheProduct_stateTheBudget() {
    List<MemoryItem> items = StoreMemory.items(budgeted(10_000_000));

    assertThat(items).extracting(MemoryItem::name).containsExactly("series_memory", "merging");
    // 50,000 counters of 8 bytes in pages, and of 10 bytes and a sixteenth in a step.
    // That much is left free of windows, as far as it is a tenth.
    assertThat(items.get(0).maxBytes()).isEqualTo(10_000_000L);
    assertThat(StoreMemory.items(budgeted(1_000_000)).get(0).maxBytes())
        .isBetween(900_000L + 50_000 * 19, 900_000L + 50_000 * 20);
    assertThat(StoreMemory.items(budgeted(Long.MAX_VALUE)))
        .extracting(MemoryItem::name)
        .containsExactly("counts", "windows", "series", "labels", "merging");
    assertThat(StoreMemory.heldBytes(budgeted(10_000_000))).isEqualTo(items.get(0).maxBytes());
  }

  private static MergeConfig budgeted(long maxMemoryBytes) {
    return new MergeConfig(
        1000, 2, 50_000, WindowSpec.parseList("10s"), 2048, Duration.ofMinutes(1), maxMemoryBytes);
  }

  private static MatchResult fullStore() throws Exception {
    JavaProgram.Ended ended = JavaProgram.run(List.of("-Xmx512m"), FullStore.class);
    assertThat(ended.exitCode()).as(ended.output()).isZero();
    return PRINTED
        .matcher(ended.output())
        .results()
        .findFirst()
        .orElseThrow(() -> new AssertionError("no figures in: " + ended.output()));
  }

  private static String text(List<MemoryItem> items) {
    return items.stream()
        .map(item -> item.name() + "=" + item.maxBytes())
        .collect(Collectors.joining(" "));
  }
}

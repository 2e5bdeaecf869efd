package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.MergeConfig;
import io.hdrsidecar.sidecar.merge.StoreMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound of a configuration as a whole. What an item is worth is measured elsewhere. */
class StatedMemoryTest {
  private static final Map<String, String> SMALL =
      Map.ofEntries(
          Map.entry("--series-max", "100"),
          Map.entry("--series-max-memory", "1024GiB"), // what is not limited by it
          Map.entry("--series-max-layouts", "1"),
          Map.entry("--series-max-counters", "4096"),
          Map.entry("--series-max-label-length", "256"),
          Map.entry("--ingest-max-connections", "10"),
          Map.entry("--ingest-max-series-ids", "10000"),
          Map.entry("--ingest-max-instances", "1000"),
          Map.entry("--http-max-body", "1MiB"),
          Map.entry("--journal-directory", "/nowhere"),
          Map.entry("--journal-max-queued", "1MiB"),
          Map.entry("--journal-rotate-size", "1MiB"));

  private static MemoryBound bound(Map<String, String> more) throws Exception {
    Map<String, String> flags = new HashMap<>(SMALL);
    flags.putAll(more);
    return StatedMemory.of(ConfigLoader.load(flags, Map.of(), null), HeapBudget.of(1L << 30));
  }

  @ParameterizedTest
  @CsvSource({
    "--series-max, 200, counts",
    "--series-max-layouts, 2, counts",
    "--series-max-counters, 8192, windows",
    "--windows, 2m/1s, windows",
    "--series-max-label-length, 512, labels",
    "--http-max-connections, 512, http_connections",
    "--http-max-body, 2MiB, uploads",
    "--journal-max-queued, 2MiB, journal_queue",
    "--ingest-max-instances, 2000, journal_sequences"
  })
  void of_limitRaised_raisesItsItem(String flag, String higher, String item) throws Exception {
    assertThat(bytes(bound(Map.of(flag, higher)), item))
        .isGreaterThan(bytes(bound(Map.of()), item));
  }

  private static long bytes(MemoryBound bound, String item) {
    return bound.items().stream()
        .filter(i -> i.name().equals(item))
        .mapToLong(MemoryItem::maxBytes)
        .sum();
  }

  @Test
  void of_seriesBeyondTheirBudget_statesTheBudget() throws Exception {
    MemoryBound bound =
        bound(
            Map.of(
                "--series-max", "10000000",
                "--series-max-layouts", "64",
                "--windows", "1h/1s,2h/2s",
                "--series-max-memory", "10MiB"));

    // Beside it what one interval of 4096 counters adds to a step of each window.
    assertThat(bytes(bound, "series_memory"))
        .isBetween(10L << 20, (10L << 20) + 2 * (4096 * 22 + 3601 * 4 + 1024));
    assertThat(bytes(bound, "counts")).isZero();
  }

  @ParameterizedTest(name = "-Xmx{0}m")
  @ValueSource(longs = {256, 1024, 16384})
  void exceeds_defaultsInAnyUsualHeap_doesNot(long mebibytes) {
    long heap = mebibytes << 20;

    MergeConfig halfOfIt = MergeConfig.defaults().withMaxMemoryBytes(heap / 2);

    assertThat(StatedMemory.exceeds(StoreMemory.heldBytes(halfOfIt), heap)).isFalse();
  }

  /** The image's limits in the heap it has at 96 MiB. */
  @Test
  void exceeds_defaultsOfTheImage_doesNot() {
    long heap = 31L << 20;
    MergeConfig defaults = MergeConfig.defaults();
    MergeConfig image =
        new MergeConfig(
            defaults.maxSeries(),
            defaults.maxLayouts(),
            131_072,
            defaults.windows(),
            defaults.maxLabelLength(),
            defaults.idleExpiry(),
            heap / 2);

    assertThat(StatedMemory.exceeds(StoreMemory.heldBytes(image), heap)).isFalse();
    assertThat(
            StatedMemory.exceeds(
                StoreMemory.heldBytes(defaults.withMaxMemoryBytes(heap / 2)), heap))
        .isTrue();
  }

  @Test
  void exceeds_heapOfBoundAndWhatAnIdleSidecarHolds_doesNot() {
    MemoryBound bound =
        new MemoryBound(List.of(new MemoryItem("a", 7, ""), new MemoryItem("b", 8, "")));

    assertThat(bound.totalBytes()).isEqualTo(15);
    assertThat(StatedMemory.exceeds(bound.totalBytes(), MemoryBound.LIVE_HEAP_BYTES + 15))
        .isFalse();
    assertThat(StatedMemory.exceeds(bound.totalBytes(), MemoryBound.LIVE_HEAP_BYTES + 14)).isTrue();
  }

  @Test
  void bound_twoItemsOfOneName_isRefused() {
    MemoryItem item = new MemoryItem("a", 7, "");

    assertThatIllegalArgumentException().isThrownBy(() -> new MemoryBound(List.of(item, item)));
  }
}

package io.hdrsidecar.sidecar.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

  private static MatchResult fullStore() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    Process process =
        new ProcessBuilder(java, "-Xmx512m", "-cp", classPath, FullStore.class.getName())
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      String printed = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(printed).isZero();
      return PRINTED
          .matcher(printed)
          .results()
          .findFirst()
          .orElseThrow(() -> new AssertionError("no figures in: " + printed));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(List<MemoryItem> items) {
    return items.stream()
        .map(item -> item.name() + "=" + item.maxBytes())
        .collect(Collectors.joining(" "));
  }
}

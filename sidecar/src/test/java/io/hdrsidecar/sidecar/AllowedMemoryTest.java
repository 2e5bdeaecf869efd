package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound of a configuration as a whole. What an item is worth is measured elsewhere. */
class AllowedMemoryTest {
  private static final long MIB = 1 << 20;
  private static final Path COMPONENT = Path.of("..", "k8s", "component", "sidecar.yaml");
  private static final Pattern VARIABLE =
      Pattern.compile("- name: (HDR_SIDECAR_\\w+)\\s+value: \"?([^\"\\n]+)");

  private static SidecarConfig load(Map<String, String> environment, long heapMib, String... flags)
      throws Exception {
    Map<String, String> byName = new HashMap<>();
    for (String flag : flags) {
      byName.put(flag.substring(0, flag.indexOf('=')), flag.substring(flag.indexOf('=') + 1));
    }
    return ConfigLoader.load(byName, environment, null, HeapBudget.of(heapMib * MIB));
  }

  private static void assertFits(SidecarConfig config, long heapMib) {
    MemoryBound bound = AllowedMemory.of(config, HeapBudget.of(heapMib * MIB));

    assertThat(bound.totalBytes())
        .as("sum of %s, of which %s is most", bound.items(), bound.largest(1))
        .isLessThanOrEqualTo(heapMib * MIB);
    assertThat(AllowedMemory.problems(config, HeapBudget.of(heapMib * MIB))).isEmpty();
  }

  @ParameterizedTest(name = "-Xmx{0}m")
  @ValueSource(longs = {48, 64, 96, 128, 256, 512, 1024, 6 * 1024, 31 * 1024})
  void of_defaults_isAtMostTheHeap(long heapMib) throws Exception {
    assertFits(load(Map.of(), heapMib), heapMib);
  }

  @ParameterizedTest(name = "-Xmx{0}m")
  @ValueSource(longs = {48, 64, 96, 128, 256, 512, 1024, 6 * 1024, 31 * 1024})
  void of_defaultsWithJournalAndSpillFolder_isAtMostTheHeap(long heapMib) throws Exception {
    assertFits(load(Map.of(), heapMib, "--journal-directory=x", "--spill-folder=y"), heapMib);
  }

  @ParameterizedTest(name = "-Xmx{0}m")
  @ValueSource(longs = {48, 64, 96, 128, 256, 512, 1024, 6 * 1024, 31 * 1024})
  void of_defaultsWithAllFolders_isAtMostTheHeap(long heapMib) throws Exception {
    assertFits(
        load(Map.of(), heapMib, "--journal-directory=x", "--spill-folder=y", "--crash-folder=z"),
        heapMib);
  }

  @ParameterizedTest(name = "-Xmx{0}m")
  @ValueSource(longs = {48, 64, 96, 128, 256, 512, 1024, 6 * 1024, 31 * 1024})
  void of_settingsOfTheComponent_isAtMostTheHeap(long heapMib) throws Exception {
    assertFits(load(component(), heapMib), heapMib);
  }

  /** Its variables. */
  private static Map<String, String> component() throws IOException {
    Map<String, String> environment = new HashMap<>();
    for (Matcher each = VARIABLE.matcher(Files.readString(COMPONENT)); each.find(); ) {
      environment.put(each.group(1), each.group(2));
    }
    assertThat(environment).containsKeys("HDR_SIDECAR_JOURNAL_DIRECTORY", "HDR_SIDECAR_DRAIN");
    return environment;
  }

  /** What the image makes of the limit that pods have. */
  @Test
  void of_settingsOfTheComponentInThePodsLimit_isAtMostTheHeap() throws Exception {
    long limitMib = number("limits: .*memory: (\\d+)Mi", COMPONENT);
    long percent = number("-XX:MaxRAMPercentage=(\\d+)", Path.of("../k8s/image/java.options"));
    long heapMib = limitMib * percent / 100;

    assertFits(load(component(), heapMib), heapMib);
  }

  private static long number(String pattern, Path file) throws IOException {
    Matcher found = Pattern.compile(pattern).matcher(Files.readString(file));
    assertThat(found.find()).as(pattern).isTrue();
    return Long.parseLong(found.group(1));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "--series-max-memory=100MiB, series.max-memory: 100MiB, MiB fits",
    "--series-max-memory=80%, series.max-memory: 80%, MiB fits",
    "--history-max-memory=64MiB, history.max-memory: 64MiB, MiB fits",
    "--series-max-counters=10000000, series.max-counters: 10000000, fits",
    "--journal-max-queued=1GiB, journal.max-queued: 1GiB, KiB fits"
  })
  void problems_settingAboveWhatTheHeapHas_areNamedWithWhatFits(
      String flag, String named, String fits) throws Exception {
    SidecarConfig config = load(Map.of(), 128, "--journal-directory=x", flag);

    assertThat(AllowedMemory.problems(config, HeapBudget.of(128 * MIB)))
        .singleElement()
        .asString()
        .startsWith(named + ": the sidecar may have to hold ")
        .contains("more than the heap of 128MiB; at most ")
        .contains(fits);
  }

  /** What is said to fit does fit. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "--series-max-memory, 100MiB",
    "--history-max-memory, 64MiB",
    "--series-max-counters, 10000000",
    "--journal-max-queued, 1GiB"
  })
  void problems_settingSetToWhatFits_areNone(String flag, String tooMuch) throws Exception {
    SidecarConfig broken = load(Map.of(), 128, "--journal-directory=x", flag + "=" + tooMuch);
    String problem = AllowedMemory.problems(broken, HeapBudget.of(128 * MIB)).get(0);
    Matcher fits = Pattern.compile("at most (\\w+) fits").matcher(problem);
    assertThat(fits.find()).as(problem).isTrue();

    assertFits(load(Map.of(), 128, "--journal-directory=x", flag + "=" + fits.group(1)), 128);
  }

  @Test
  void problems_severalSettings_areNamedEach() throws Exception {
    SidecarConfig config =
        load(Map.of(), 128, "--series-max-memory=100MiB", "--history-max-memory=64MiB");

    assertThat(AllowedMemory.problems(config, HeapBudget.of(128 * MIB))).hasSize(2);
  }

  @Test
  void problems_heapTooSmallForAnything_nameTheHeap() throws Exception {
    assertThat(AllowedMemory.problems(load(Map.of(), 16), HeapBudget.of(16 * MIB)))
        .singleElement()
        .asString()
        .startsWith("-Xmx: 16MiB: the sidecar may have to hold ");
  }

  @Test
  void of_fewSmallSeries_statesThemAndNotTheirBudget() throws Exception {
    SidecarConfig config =
        load(Map.of(), 1024, "--series-max=10", "--series-max-counters=1024", "--windows=");

    assertThat(AllowedMemory.of(config, HeapBudget.of(1024 * MIB)).items())
        .extracting(MemoryItem::name)
        .contains("counts", "labels")
        .doesNotContain("series_memory");
  }

  @Test
  void bound_twoItemsOfOneName_isRefused() {
    MemoryItem item = new MemoryItem("a", 7, "");

    assertThatIllegalArgumentException().isThrownBy(() -> new MemoryBound(List.of(item, item)));
  }
}

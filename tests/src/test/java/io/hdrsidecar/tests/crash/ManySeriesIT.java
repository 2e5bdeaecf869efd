package io.hdrsidecar.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service with as many series as it may have has left, taken by a sidecar that is small. */
final class ManySeriesIT {
  private static final List<String> SMALL = List.of("-Xmx48m");
  private static final Pattern COUNT =
      Pattern.compile("\nmany_seconds_count\\{[^}]*series=\"(\\d+)\"[^}]*} (\\d+)");

  @RegisterExtension final Processes processes = new Processes();
  @RegisterExtension final CrashFolder folder = new CrashFolder(processes);

  private List<String> options() throws Exception {
    return List.of(
        "--crash-folder=" + folder.path(),
        "--crash-scan-interval=100ms",
        "--spill-folder=" + spillFolder(),
        "--spill-scan-interval=100ms",
        "--journal-directory=" + folder.resolve("journal"));
  }

  /** Records all of the list where nobody listens, and is killed. */
  private void killedService(int series, int labelCharacters) throws Exception {
    try (ReservedPort nobody = new ReservedPort()) {
      JavaProcess service =
          service(nobody, "HDR_SIDECAR_CRASH_FOLDER", folder.path(), series, labelCharacters);
      assertThat(service.output()).contains("created the crash folder " + folder.path());
      service.kill();
      assertThat(folder.files()).hasSize(1);
    }
  }

  /** The same, but has time to write a spill file. */
  private void endedService(int series, int labelCharacters) throws Exception {
    try (ReservedPort nobody = new ReservedPort()) {
      JavaProcess service =
          service(nobody, "HDR_SIDECAR_SPILL_FOLDER", spillFolder(), series, labelCharacters);
      service.terminate();
      service.awaitExit();
      assertThat(spilled()).hasSize(1);
    }
  }

  private JavaProcess service(
      ReservedPort nobody, String variable, Path value, int series, int labelCharacters)
      throws Exception {
    Map<String, String> variables =
        Map.of(
            "HDR_SIDECAR_INTERVAL",
            "100ms",
            "HDR_SIDECAR_ADDRESS",
            "tcp://127.0.0.1:" + nobody.number(),
            variable,
            value.toString());
    JavaProcess service =
        processes.start(
            ManySeries.class,
            variables,
            Integer.toString(series),
            Integer.toString(labelCharacters));
    service.awaitLine(Pattern.compile("recording"));
    return service;
  }

  private Path spillFolder() throws IOException {
    return Files.createDirectories(folder.resolve("spill"));
  }

  private List<Path> spilled() throws IOException {
    try (Stream<Path> files = Files.list(spillFolder())) {
      return files.filter(file -> file.toString().contains("spill-")).toList();
    }
  }

  private static Map<Integer, Long> countsOfSeries(int series) {
    Map<Integer, Long> counts = new TreeMap<>();
    for (int i = 0; i < series; i++) {
      counts.put(i, (long) ManySeries.times(i) * ManySeries.values(i).length);
    }
    return counts;
  }

  private static Map<Integer, Long> countsOfSeries(String metrics) {
    Map<Integer, Long> counts = new TreeMap<>();
    Matcher found = COUNT.matcher(metrics);
    while (found.find()) {
      counts.put(Integer.valueOf(found.group(1)), Long.valueOf(found.group(2)));
    }
    return counts;
  }

  /** Of all series together, by HdrHistogram. */
  private static Map<Long, Long> buckets(int series) {
    Histogram expected = new Histogram(1, 3_600_000_000_000L, 3);
    for (int i = 0; i < series; i++) {
      for (long value : ManySeries.values(i)) {
        expected.recordValueWithCount(value, ManySeries.times(i));
      }
    }
    Map<Long, Long> counts = new TreeMap<>();
    expected
        .recordedValues()
        .forEach(
            value ->
                counts.put(
                    expected.lowestEquivalentValue(value.getValueIteratedTo()),
                    value.getCountAtValueIteratedTo()));
    return counts;
  }

  private static Map<Long, Long> buckets(SidecarProcess sidecar) throws Exception {
    JsonArray buckets = sidecar.total("many", "&buckets=true").getJsonArray("buckets");
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < buckets.size(); i++) {
      JsonObject bucket = buckets.getJsonObject(i);
      counts.put(bucket.getLong("lowest"), bucket.getLong("count"));
    }
    return counts;
  }

  private void assertAllCounted(int series, SidecarProcess sidecar) throws Exception {
    folder.awaitNoFiles();
    assertThat(buckets(sidecar)).isEqualTo(buckets(series));
    assertThat(sidecar.output()).doesNotContain("event=crash_damaged");
  }

  /** As many as have room as series of their own, too. */
  @Test
  void series_smallHeap_areCountedWhereTheyBelong() throws Exception {
    killedService(500, 200);

    SidecarProcess sidecar = processes.sidecarInJvm(SMALL, options());

    assertAllCounted(500, sidecar);
    assertThat(countsOfSeries(sidecar.metrics())).isEqualTo(countsOfSeries(500));
  }

  /** Whatever has no room as a series of its own is counted by the overflow series. */
  @ParameterizedTest
  @ValueSource(strings = {"recovery-part", "recovery-merged"})
  void longLabels_smallHeapKilledBetweenParts_allAreCountedOnce(String point) throws Exception {
    killedService(1_000, 1_900);
    List<String> dying = new ArrayList<>(SMALL);
    dying.add("-Dio.hdrsidecar.crash.fault=" + point);
    List<String> serve = new ArrayList<>(List.of("serve", "--ingest-port=0", "--http-port=0"));
    serve.addAll(options());
    assertThat(processes.java(dying, serve).awaitExit()).isEqualTo(137);

    assertAllCounted(1_000, processes.sidecarInJvm(SMALL, options()));
  }

  /** The definitions of a file that a client wrote at its end take several times what is free. */
  @Test
  void spilledLongLabels_smallHeap_allAreCountedOnce() throws Exception {
    endedService(1_000, 1_900);
    Files.createDirectories(folder.path());

    SidecarProcess sidecar = processes.sidecarInJvm(SMALL, options());

    Eventually.holds(() -> assertThat(spilled()).isEmpty());
    assertAllCounted(1_000, sidecar);
    assertThat(sidecar.output()).doesNotContain("event=spill_damaged");
  }
}

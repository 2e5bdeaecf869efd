package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.conformance.JavaConformanceClient;
import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.ClientCommands;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A pod of four services, each in a language of its own, which record at the same time. */
@RequiresPrograms({"go", "node", "python3"})
final class FourLanguagesIT {
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final int VALUES = 20_000;
  private static final List<String> SETTINGS =
      List.of(
          "close_timeout_ms 60000",
          "stall_timeout_ms 30000",
          "min_backoff_ms 100",
          "max_backoff_ms 1000");

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private final Histogram recorded = new Histogram(1, HIGHEST, 3);
  private long sum;

  private static Map<String, List<String>> clients() throws Exception {
    Map<String, List<String>> clients = new LinkedHashMap<>();
    clients.put("java", Launch.program(Launch.SHORT_LIVED, JavaConformanceClient.class, List.of()));
    clients.put("go", ClientCommands.go("conformance"));
    clients.put("python", ClientCommands.python("conformance_client.py"));
    clients.put("node", ClientCommands.node("conformance.mjs"));
    return clients;
  }

  /** Each program is told as much as it records, and then all are told to close. */
  private void record(SidecarProcess sidecar, String labels) throws Exception {
    Map<String, JavaProcess> running = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> client : clients().entrySet()) {
      Map<String, String> variables =
          Map.of(
              "HDR_SIDECAR_ADDRESS",
              sidecar.ingestAddress(),
              "HDR_SIDECAR_LABELS",
              labels.formatted(client.getKey()));
      running.put(client.getKey(), processes.start(client.getValue(), variables));
    }
    for (JavaProcess client : running.values()) {
      for (String setting : SETTINGS) {
        client.tell("set " + setting);
      }
      client.tell("series 1 checkout ns 1 " + HIGHEST + " 3 route=/pay");
    }
    SplittableRandom random = new SplittableRandom(22);
    for (int i = 0; i < VALUES; i++) {
      for (JavaProcess client : running.values()) {
        long nanos = Math.min(HIGHEST, (long) (5e6 * Math.exp(2 * random.nextGaussian())));
        client.tell("record 1 " + nanos);
        recorded.recordValue(nanos);
        sum += nanos;
      }
    }
    for (JavaProcess client : running.values()) {
      client.tell("close");
    }
    for (JavaProcess client : running.values()) {
      assertThat(client.awaitExit()).as("%s", client).isZero();
    }
  }

  @Test
  void oneSeriesOfAll_isOneExactDistribution() throws Exception {
    SidecarProcess sidecar = processes.sidecar();

    record(sidecar, "pod=shop-1");

    JsonObject total = sidecar.total("checkout{route=\"/pay\",pod=\"shop-1\"}", "&buckets=true");
    assertThat(BucketTexts.of(total)).isEqualTo(BucketTexts.of(recorded));
    assertThat(total.getLong("count")).isEqualTo(recorded.getTotalCount());
    assertThat(total.getLong("sum")).isEqualTo(sum);
    assertThat(sidecar.metrics())
        .contains("checkout_seconds_count{pod=\"shop-1\",route=\"/pay\"} " + 4 * VALUES + "\n");
  }

  @Test
  void explorer_ofASeriesOfEach_showsThemAndAllTogether() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    long start = System.currentTimeMillis() / 1000 * 1000 - 60_000;

    record(sidecar, "language=%s");

    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.open("").awaitRows(4);
    for (String language : List.of("java", "go", "python", "node")) {
      explorer.row("checkout{language=\"" + language + "\",route=\"/pay\"}").waitFor();
    }
    long end = System.currentTimeMillis() / 1000 * 1000 + 60_000; // "now" may lag a second
    explorer.open(link("s", "checkout", "start", Explorer.time(start), "end", Explorer.time(end)));
    explorer.awaitCount(recorded.getTotalCount());
    assertThat(explorer.percentiles(0))
        .containsEntry("50", recorded.getValueAtPercentile(50))
        .containsEntry("99", recorded.getValueAtPercentile(99))
        .containsEntry("99.9", recorded.getValueAtPercentile(99.9));
  }
}

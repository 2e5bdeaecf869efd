package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sidecar with default settings says it may have to hold, and the heap it runs in. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class HeapBoundIT {
  private static final int VALUES = 40_000;

  @RegisterExtension final Processes processes = new Processes();

  @ParameterizedTest(name = "-Xmx{0}m")
  @ValueSource(ints = {48, 64, 512})
  void serve_defaults_boundIsAtMostTheHeap_andItRecordsScrapesAndAnswers(int mebibytes)
      throws Exception {
    SidecarProcess sidecar =
        processes.sidecarInJvm(List.of("-Xmx" + mebibytes + "m"), List.of("--strict"));
    JsonObject memory = sidecar.status().getJsonObject("memory");
    assertThat(memory.getLong("boundBytes"))
        .as("%s", memory.getJsonArray("items"))
        .isLessThanOrEqualTo(memory.getLong("heapMaxBytes"));

    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address(sidecar.ingestAddress())
                .interval(Duration.ofMillis(100))
                .build())) {
      LatencyRecorder recorder = client.recorder("checkout", Labels.of("route", "/pay"));
      for (int i = 1; i <= VALUES; i++) {
        recorder.record(1L << (i % 41)); // over the whole range of a usual recorder
      }
      assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
    }

    assertThat(sidecar.metrics())
        .contains("checkout_seconds_count{route=\"/pay\"} " + VALUES + "\n")
        .contains("hdr_sidecar_heap_share_held_bytes{use=\"ingest\"}");
    assertThat(sidecar.total("checkout{route=\"/pay\"}", "").getLong("count")).isEqualTo(VALUES);
    assertThat(sidecar.output())
        .doesNotContain("memory_bound_above_heap")
        .doesNotContain("level=ERROR");
  }
}

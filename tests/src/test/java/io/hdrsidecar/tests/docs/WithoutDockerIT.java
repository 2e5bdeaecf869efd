package io.hdrsidecar.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusApi;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.ReservedPort;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code k8s/compose/without-docker}: everything but Grafana, by one command. */
@RequiresPrograms("prometheus")
class WithoutDockerIT {
  private static final List<String> SCRIPT =
      List.of("/bin/bash", Path.of("../k8s/compose/without-docker").toAbsolutePath().toString());

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void script_showsTheServiceInPrometheus_andEndsWithAllItStarted() throws Exception {
    try (ReservedPort http = new ReservedPort();
        ReservedPort ingest = new ReservedPort();
        ReservedPort web = new ReservedPort()) {
      JavaProcess script =
          processes.start(
              SCRIPT,
              Map.of(
                  "HDR_SIDECAR_HTTP_PORT", Integer.toString(http.number()),
                  "HDR_SIDECAR_INGEST_PORT", Integer.toString(ingest.number()),
                  "PROMETHEUS_PORT", Integer.toString(web.number())));
      PrometheusApi prometheus = new PrometheusApi("127.0.0.1:" + web.number());

      Eventually.holds(
          () -> {
            assertThat(prometheus.value("histogram_count(checkout_seconds{kind='response'})"))
                .as("%s", script)
                .isPositive();
            assertThat(prometheus.value("count(hdr_sla_met)")).as("rows of the SLA").isPositive();
          });
      JsonObject rules = (JsonObject) prometheus.get("/api/v1/rules", Map.of());
      assertThat(rules.getJsonArray("groups")).isNotEmpty();

      List<ProcessHandle> started =
          ProcessHandle.of(script.pid()).stream().flatMap(ProcessHandle::descendants).toList();
      assertThat(started).hasSizeGreaterThanOrEqualTo(3);
      script.terminate();
      assertThat(script.awaitExit()).as("%s", script).isZero();
      assertThat(started).noneMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  void script_withoutItsPrograms_namesThem(@TempDir Path folder) throws Exception {
    Path dirname = Path.of("/usr/bin/dirname");
    Files.copy(dirname, folder.resolve("dirname"), StandardCopyOption.COPY_ATTRIBUTES);

    JavaProcess script = processes.start(SCRIPT, Map.of("PATH", folder.toString()));

    assertThat(script.awaitExit()).isEqualTo(1);
    assertThat(script.output())
        .contains("java is not in the PATH", "prometheus is not in the PATH", "3.8");
  }
}

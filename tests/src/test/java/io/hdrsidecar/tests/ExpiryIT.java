package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Series that ended, kill -9 and the journal: what ended stays so, what came later is counted. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ExpiryIT {
  /** Long enough to kill a sidecar meanwhile, also where much else runs. */
  private static final String IDLE_EXPIRY = "3s";

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path journal = Path.of("set by JUnit");

  private SidecarProcess sidecar(int port, String idleExpiry) throws InterruptedException {
    return processes.sidecar(
        port,
        "--journal-directory=" + journal,
        "--journal-flush=5ms",
        "--self-hiccups=off",
        "--series-idle-expiry=" + idleExpiry);
  }

  @Test
  void kill_afterASeriesEndedAndBeganAnew_bringsBackTheNewOneAlone() throws Exception {
    try (ReservedPort reserved = new ReservedPort()) {
      killAndRestart(reserved.number());
    }
  }

  private void killAndRestart(int port) throws Exception {
    SidecarProcess sidecar = sidecar(port, IDLE_EXPIRY);
    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address("tcp://127.0.0.1:" + port)
                .interval(Duration.ofMillis(50))
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .build())) {
      LatencyRecorder kept = client.recorder("checkout");
      record(client, kept, 1, 1000);
      awaitEnd(sidecar);

      sidecar.kill();
      sidecar = sidecar(port, "10m");
      assertThat(sidecar.metrics()).doesNotContain("checkout_seconds");

      record(client, kept, 1001, 3000);
      sidecar.kill();
      sidecar = sidecar(port, "10m");
      assertHasExactly(sidecar, 1001, 3000);
      sidecar.kill();
      sidecar = sidecar(port, IDLE_EXPIRY);
      awaitEnd(sidecar);

      record(client, kept, 3001, 3700);
      sidecar.kill();
      assertHasExactly(sidecar(port, "10m"), 3001, 3700);
    }
  }

  private static void record(HdrSidecarClient client, LatencyRecorder recorder, int from, int to)
      throws Exception {
    long wanted = client.health().acknowledgedValues() + to - from + 1;
    for (int value = from; value <= to; value++) {
      recorder.record(value);
    }
    Eventually.holds(() -> assertThat(client.health().acknowledgedValues()).isEqualTo(wanted));
  }

  private static void awaitEnd(SidecarProcess sidecar) throws Exception {
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .contains("\nhdr_sidecar_series_expired_total 1.0")
                .doesNotContain("checkout_seconds")
                .contains("\nhdr_sidecar_journal_lag_records 0.0"));
  }

  /** The sum of consecutive numbers shows a value that is missing, twice there, or another one. */
  private static void assertHasExactly(SidecarProcess sidecar, long first, long last)
      throws Exception {
    var total = sidecar.total("checkout", "");
    assertThat(total.getLong("count")).isEqualTo(last - first + 1);
    assertThat(total.getLong("sum")).isEqualTo((first + last) * (last - first + 1) / 2);
  }
}

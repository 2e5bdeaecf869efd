package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client does not mind when its sidecar comes, goes and comes back. */
final class RestartIT {
  @RegisterExtension final Processes processes = new Processes();

  private final ReservedPort reserved = new ReservedPort();
  private final int port = reserved.number();

  RestartIT() throws IOException {}

  @AfterEach
  void freePort() throws IOException {
    reserved.close();
  }

  private SidecarProcess sidecar() throws InterruptedException {
    return processes.sidecar(port);
  }

  private HdrSidecarClient client() {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address("tcp://127.0.0.1:" + port)
            .interval(Duration.ofMillis(50))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
            .build());
  }

  @Test
  void record_beforeTheSidecarStarts_arrivesOnceItHas() throws Exception {
    try (HdrSidecarClient client = client()) {
      LatencyRecorder recorder = client.recorder("restart");
      recordValues(recorder, 1, 1_000);
      // Several intervals have closed with nobody there to take them.
      Eventually.holds(() -> assertThat(client.health().harvestedValues()).isEqualTo(1_000));

      SidecarProcess sidecar = sidecar();
      recordValues(recorder, 1_001, 2_000);

      Eventually.holds(() -> assertHasExactly(sidecar, 1, 2_000));
    }
  }

  @Test
  void record_whileTheSidecarIsKilledAndStartedAnew_arrivesOnceInTheNewOne() throws Exception {
    try (HdrSidecarClient client = client()) {
      LatencyRecorder recorder = client.recorder("restart");
      SidecarProcess first = sidecar();
      recordValues(recorder, 1, 1_000);
      Eventually.holds(() -> assertThat(client.health().acknowledgedValues()).isEqualTo(1_000));
      assertHasExactly(first, 1, 1_000);

      first.kill();
      Eventually.holds(() -> assertThat(client.health().connected()).isFalse());
      recordValues(recorder, 1_001, 1_500);
      Eventually.holds(() -> assertThat(client.health().harvestedValues()).isEqualTo(1_500));

      SidecarProcess second = sidecar();
      Eventually.holds(() -> assertThat(client.health().acknowledgedValues()).isEqualTo(1_500));
      recordValues(recorder, 1_501, 3_000);

      // What the first had acknowledged died with it, and must not come again.
      assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
      assertHasExactly(second, 1_001, 3_000);
    }
  }

  @Test
  void connect_toALivingSidecarByANewClient_addsToItsTotals() throws Exception {
    SidecarProcess sidecar = sidecar();
    try (HdrSidecarClient client = client()) {
      recordValues(client.recorder("restart"), 1, 1_000);
    }
    try (HdrSidecarClient client = client()) {
      recordValues(client.recorder("restart"), 1_001, 1_700);
    }

    assertHasExactly(sidecar, 1, 1_700);
  }

  private static void recordValues(LatencyRecorder recorder, long first, long last) {
    for (long value = first; value <= last; value++) {
      recorder.record(value);
    }
  }

  /** The sum of consecutive numbers shows a value that is missing, twice there, or another one. */
  private static void assertHasExactly(SidecarProcess sidecar, long first, long last)
      throws Exception {
    var total = sidecar.total("restart", "");
    assertThat(total.getLong("count")).isEqualTo(last - first + 1);
    assertThat(total.getLong("sum")).isEqualTo((first + last) * (last - first + 1) / 2);
    assertThat(total.getLong("min")).isEqualTo(first);
    assertThat(total.getLong("max")).isEqualTo(last);
  }
}

package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Twenty clients with sidecars below one: the fleet is one histogram of all that was recorded.
 *
 * <p>{@code -Dhdr.fleet.sidecars=20} for a process for each client; few are enough to see that they
 * add up.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FleetIT {
  private static final int CLIENTS = 20;
  private static final int VALUES = 5_000;
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void percentilesOfTheFleet_areThoseOfAllRawValues() throws Exception {
    int sidecars = Integer.getInteger("hdr.fleet.sidecars", 2);
    SplittableRandom random = new SplittableRandom(20);
    Histogram raw = new Histogram(HOUR_NANOS, 3);
    SidecarProcess upper = processes.sidecar();
    List<SidecarProcess> lowers = new ArrayList<>();
    for (int i = 0; i < sidecars; i++) {
      lowers.add(
          processes.sidecar(
              0,
              "--upstream-address=" + upper.ingestAddress(),
              "--upstream-interval=200ms",
              "--upstream-resource-deployment=shop",
              "--upstream-resource-pod=shop-" + i));
    }
    for (int i = 0; i < CLIENTS; i++) {
      // As manifests have it: the pod is a label of the series, too, and is left out above.
      Labels pod = Labels.of("pod", "shop-" + i % sidecars);
      record(lowers.get(i % sidecars), pod, random, raw);
    }
    Eventually.holds(() -> assertThat(count(upper)).isEqualTo(CLIENTS * VALUES));

    JsonObject fleet = upper.total("checkout{deployment=\"shop\"}", "&buckets=true");

    assertThat(fleet.getLong("count")).isEqualTo(raw.getTotalCount());
    assertThat(BucketTexts.of(fleet)).isEqualTo(BucketTexts.of(raw));
    assertThat(upper.metrics()).doesNotContain("pod=\"shop-");
  }

  private static void record(
      SidecarProcess sidecar, Labels labels, SplittableRandom random, Histogram raw) {
    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address(sidecar.ingestAddress())
                .interval(Duration.ofMillis(100))
                .commonLabels(labels)
                .build())) {
      LatencyRecorder recorder = client.recorder("checkout");
      for (int i = 0; i < VALUES; i++) {
        long value = random.nextLong(1, 1L << random.nextInt(10, 40));
        recorder.record(value);
        raw.recordValue(value);
      }
      assertThat(client.close(Duration.ofSeconds(60)).deliveredAll()).isTrue();
    }
  }

  private static long count(SidecarProcess sidecar) throws Exception {
    return sidecar.total("checkout{}", "").getLong("count");
  }
}

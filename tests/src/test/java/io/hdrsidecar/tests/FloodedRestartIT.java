package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RawClient;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a flood has left in the journal neither ends a restarted sidecar nor lives for ever. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FloodedRestartIT {
  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final int LABEL_CHARACTERS = 2000;
  private static final int RESTARTS = 5;
  private static final int IDLE_SECONDS = 40;

  @RegisterExtension final Processes processes = new Processes();
  private final Path journal;

  FloodedRestartIT(@TempDir Path journal) {
    this.journal = journal;
  }

  /** As the image starts it, in so much memory. */
  private SidecarProcess sidecar(int port, int heapMib, String idleExpiry) throws Exception {
    return processes.sidecarInJvm(
        List.of("-Xmx" + heapMib + "m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
        List.of(
            "--ingest-port=" + port,
            "--journal-directory=" + journal,
            "--journal-flush=5ms",
            "--self-hiccups=off",
            "--series-idle-expiry=" + idleExpiry));
  }

  private static HdrSidecarClient honest(int port) {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address("tcp://127.0.0.1:" + port)
            .interval(Duration.ofMillis(50))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
            .build());
  }

  /** One interval of three values in each of so many series. */
  private static long flood(SidecarProcess sidecar, int series) throws Exception {
    Accumulation counted = new Accumulation(LAYOUT);
    for (long value : new long[] {5_000_000, 70_000_000, 900_000_000}) {
      counted.counts().add(LAYOUT.indexOf(value), 1);
      counted.sum().add(value);
      counted.widen(value, value);
    }
    try (RawClient client = new RawClient(sidecar.ingestAddress())) {
      for (int i = 1; i <= series; i++) {
        client.declare(i, definition(i));
        client.send(i, counted, HIGHEST);
      }
      client.awaitSettled();
    }
    return 3L * series;
  }

  private static SeriesDefinition definition(int number) {
    TreeMap<String, String> labels = new TreeMap<>();
    for (int i = 0; i < LABEL_CHARACTERS / 250; i++) {
      labels.put("l" + i, (number + "x".repeat(250)).substring(0, 248));
    }
    return new SeriesDefinition(
        new SeriesKey("flood", Labels.of(labels)), Unit.NANOSECONDS, "", LAYOUT, HIGHEST);
  }

  /** Records and waits until the sidecar has it in its journal; then it has exactly this. */
  private static void record(
      HdrSidecarClient client, LatencyRecorder recorder, SidecarProcess at, int from, int to)
      throws Exception {
    for (int value = from; value <= to; value++) {
      recorder.record(value);
    }
    Eventually.holds(() -> assertThat(client.health().acknowledgedValues()).isEqualTo(to));
    var total = at.total("honest", "");
    assertThat(total.getLong("count")).isEqualTo(to);
    assertThat(total.getLong("sum")).isEqualTo((1L + to) * to / 2);
  }

  @Test
  void kill_fiveTimesAfterAFlood_comesUpAndBringsNothingBackThatHasEnded() throws Exception {
    try (ReservedPort port = new ReservedPort()) {
      SidecarProcess sidecar = sidecar(port.number(), 64, IDLE_SECONDS + "s");
      try (HdrSidecarClient client = honest(port.number())) {
        LatencyRecorder recorder = client.recorder("honest");
        record(client, recorder, sidecar, 1, 1000); // It has a place of its own before the flood.
        flood(sidecar, 1000);
        long flooded = System.nanoTime();
        for (int restart = 1; restart <= RESTARTS; restart++) {
          record(client, recorder, sidecar, 1000 * restart + 1, 1000 * restart + 1000);
          sidecar.kill();
          if (restart == RESTARTS) {
            awaitSince(flooded, IDLE_SECONDS + 1);
          }
          sidecar = sidecar(port.number(), 64, IDLE_SECONDS + "s");
        }

        assertThat(sidecar.metrics()).doesNotContain("flood_seconds").contains("honest_seconds");
        record(client, recorder, sidecar, 1000 * RESTARTS + 1001, 1000 * RESTARTS + 2000);
      }
    }
  }

  /** The sidecar is down meanwhile: nothing happens that could be waited for. */
  private static void awaitSince(long nanos, long seconds) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos + TimeUnit.SECONDS.toNanos(seconds) - System.nanoTime());
  }

  @Test
  void kill_andRestartInLessHeap_hasEveryCount() throws Exception {
    try (ReservedPort port = new ReservedPort()) {
      SidecarProcess sidecar = sidecar(port.number(), 128, "10m");
      try (HdrSidecarClient client = honest(port.number())) {
        LatencyRecorder recorder = client.recorder("honest");
        record(client, recorder, sidecar, 1, 1000);
        long sent = flood(sidecar, 6000);
        int recorded = 1000;
        for (int heapMib : new int[] {64, 48, 128}) {
          sidecar.kill();
          sidecar = sidecar(port.number(), heapMib, "10m");
          assertThat(sidecar.total("flood", "").getLong("count")).isEqualTo(sent);
          assertThat(sidecar.metrics()).contains("\nhdr_sidecar_journal_unrestored_values 0.0");
          record(client, recorder, sidecar, recorded + 1, recorded + 1000);
          recorded += 1000;
        }
      }
    }
  }
}

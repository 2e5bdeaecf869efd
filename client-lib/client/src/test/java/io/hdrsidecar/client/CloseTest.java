package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.internal.send.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a client ends, and what it says of it. */
class CloseTest {
  private final Path directory;

  CloseTest(@TempDir Path directory) {
    this.directory = directory;
  }

  private ClientConfig.Builder config() {
    return ClientConfig.builder()
        .address("unix://" + directory.resolve("sidecar.sock"))
        .interval(Duration.ofSeconds(10))
        .shutdownHook(false);
  }

  @Test
  void close_withoutSidecar_saysWhatWasNotDelivered() {
    HdrSidecarClient client = HdrSidecarClient.create(config().build());
    client.recorder("a").record(1);
    client.recorder("a").record(2);
    client.recorder("b").record(3);
    client.recorder("idle");

    DeliveryResult result = client.close(Duration.ofSeconds(1));

    assertThat(result).isEqualTo(new DeliveryResult(false, 2, 3));
    assertThat(client.close(Duration.ofSeconds(1))).isEqualTo(result);
    assertThat(client.health().connected()).isFalse();
  }

  @Test
  void close_withNothingRecorded_needsNoSidecar() {
    HdrSidecarClient client = HdrSidecarClient.create(config().build());

    assertThat(client.close(Duration.ofSeconds(20))).isEqualTo(new DeliveryResult(true, 0, 0));
  }

  @Test
  void close_whenTheSidecarComesBackBeforeTheDeadline_deliversAll() throws Exception {
    try (TestPeer peer = TestPeer.notYetOn(directory.resolve("sidecar.sock"))) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      client.recorder("a").record(1);
      DeliveryResult[] result = new DeliveryResult[1];
      Thread closer = new Thread(() -> result[0] = client.close(Duration.ofSeconds(20)));
      closer.start();
      Await.until("last sample", () -> client.health().pendingIntervals() == 1);

      peer.start();
      closer.join();

      assertThat(result[0]).isEqualTo(new DeliveryResult(true, 0, 0));
      assertThat(peer.mergedValues()).isEqualTo(1);
      Await.until("goodbye", () -> peer.goodbyes() == 1);
    }
  }

  @Test
  void close_withoutAcknowledgement_countsTheIntervalAsNotDelivered() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      Await.until("connection", () -> client.health().connected());
      client.recorder("a").record(1);

      assertThat(client.close(Duration.ofSeconds(1))).isEqualTo(new DeliveryResult(false, 1, 1));
      assertThat(peer.goodbyes()).isZero();
    }
  }

  @Test
  void close_byAnInterruptedThread_deliversAndKeepsTheInterrupt() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      client.recorder("a").record(1);
      Thread.currentThread().interrupt();

      DeliveryResult result = client.close(Duration.ofSeconds(20));

      assertThat(Thread.interrupted()).isTrue();
      assertThat(result.deliveredAll()).isTrue();
      assertThat(peer.mergedValues()).isEqualTo(1);
    }
  }

  @Test
  void record_afterClose_isHarmlessAndWaitsForTheSidecar() {
    HdrSidecarClient client = HdrSidecarClient.create(config().build());
    LatencyRecorder recorder = client.recorder("a");
    client.close(Duration.ofSeconds(20));

    recorder.record(1);
    recorder.record(-1);
    recorder.record(Long.MAX_VALUE);
    client.recorder("b").record(1);

    assertThat(client.close(Duration.ZERO)).isEqualTo(new DeliveryResult(false, 2, 4));
  }

  @Test
  void disabledClient_recordsAndDiscards() {
    HdrSidecarClient client =
        HdrSidecarClient.create(config().interval(Duration.ofMillis(10)).enabled(false).build());
    client.recorder("a").record(1);
    Await.until("sample", () -> client.health().harvestedValues() == 1);

    assertThat(client.health().pendingIntervals()).isZero();
    assertThat(client.close(Duration.ofSeconds(20))).isEqualTo(new DeliveryResult(true, 0, 0));
  }
}

package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who closes a client does not end what others still record. */
class RecordAfterCloseTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Path directory;

  RecordAfterCloseTest(@TempDir Path directory) {
    this.directory = directory;
  }

  private ClientConfig.Builder config() {
    return ClientConfig.builder()
        .address("unix://" + directory.resolve("sidecar.sock"))
        .interval(Duration.ofHours(1))
        .backoff(Duration.ofMillis(1), Duration.ofMillis(10))
        .shutdownHook(false);
  }

  private TestPeer peer() throws Exception {
    return TestPeer.onUnixSocket(directory.resolve("sidecar.sock"));
  }

  @Test
  void record_afterClose_isDeliveredByTheNextCloseUnderAnotherName() throws Exception {
    try (TestPeer peer = peer()) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      LatencyRecorder recorder = client.recorder("a");
      recorder.record(1);
      assertThat(client.close(LONG)).isEqualTo(new DeliveryResult(true, 0, 0));
      assertThat(peer.mergedValues()).isEqualTo(1);

      recorder.record(2);
      assertThat(client.close(LONG)).isEqualTo(new DeliveryResult(true, 0, 0));

      assertThat(peer.mergedValues()).isEqualTo(2);
      assertThat(peer.hellos())
          .extracting(hello -> hello.instance())
          .hasSize(2)
          .doesNotHaveDuplicates();
      Await.until("both goodbyes", () -> peer.goodbyes() == 2);
      assertThat(client.health().acknowledgedValues()).isEqualTo(2);
      assertThat(peer.breaches()).isEmpty();
    }
  }

  @Test
  void record_afterClose_isDeliveredWithoutAnother() throws Exception {
    try (TestPeer peer = peer()) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      client.close(LONG);

      client.recorder("made_since").record(1);

      Await.until("the value", () -> peer.mergedValues() == 1);
      assertThat(client.hasEnded()).isFalse();
      client.close(LONG);
    }
  }

  @Test
  void close_againAndAgainWhileOthersRecord_losesAndDoublesNothing() throws Exception {
    try (TestPeer peer = peer()) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      AtomicBoolean stop = new AtomicBoolean();
      AtomicLong recorded = new AtomicLong();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        LatencyRecorder recorder = client.recorder("series" + i);
        Thread thread =
            new Thread(
                () -> {
                  while (!stop.get()) {
                    recorder.record(recorded.incrementAndGet());
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(client.close(LONG).deliveredAll()).isTrue();
      }
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }

      assertThat(client.close(LONG).deliveredAll()).isTrue();

      assertThat(peer.mergedValues()).isEqualTo(recorded.get());
      assertThat(peer.breaches()).isEmpty();
    }
  }

  @Test
  void record_whileCloseWaitsForTheSidecar_isSpilledToo() {
    Path folder = directory.resolve("spill");
    HdrSidecarClient client = HdrSidecarClient.create(config().spillFolder(folder).build());
    LatencyRecorder recorder = client.recorder("a");
    recorder.record(1);
    DeliveryResult[] result = new DeliveryResult[1];
    Thread closer = new Thread(() -> result[0] = client.close(Duration.ofSeconds(5)));
    closer.start();
    Await.until("its sample", () -> client.health().harvestedValues() == 1);

    recorder.record(2);
    Await.until("the end of the close", () -> !closer.isAlive());

    assertThat(result[0].undeliveredValues()).isEqualTo(2);
    assertThat(result[0].spilledValues()).isEqualTo(2);
    assertThat(client.health().lostValues()).isEmpty();
  }

  @Test
  void record_afterASpill_isSpilledUnderAnotherNameAndBothCountOnce() throws Exception {
    Path folder = directory.resolve("spill");
    HdrSidecarClient client = HdrSidecarClient.create(config().spillFolder(folder).build());
    LatencyRecorder recorder = client.recorder("a");
    recorder.record(1);
    DeliveryResult first = client.close(Duration.ZERO);
    recorder.record(2);
    DeliveryResult second = client.close(Duration.ZERO);

    assertThat(first.spilledValues()).isEqualTo(1);
    assertThat(second.spilledValues()).isEqualTo(2);
    assertThat(second.spillFile()).isNotEqualTo(first.spillFile());
    assertThat(client.close(LONG)).as("nothing new").isEqualTo(second);
    try (TestPeer peer = peer();
        HdrSidecarClient later = HdrSidecarClient.create(config().spillFolder(folder).build())) {
      Await.until("both files", () -> later.health().recoveredValues() == 2);
      assertThat(peer.mergedValues()).isEqualTo(2);
      assertThat(peer.breaches()).isEmpty();
    }
    assertThat(Files.exists(folder)).isTrue();
  }

  @Test
  void close_afterOneThatFailed_deliversWhatWaitsOnceTheSidecarIsThere() throws Exception {
    try (TestPeer peer = TestPeer.notYetOn(directory.resolve("sidecar.sock"))) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      client.recorder("a").record(1);
      assertThat(client.close(Duration.ZERO)).isEqualTo(new DeliveryResult(false, 1, 1));

      peer.start();

      Await.until("the value", () -> peer.mergedValues() == 1);
      assertThat(client.close(LONG)).isEqualTo(new DeliveryResult(true, 0, 0));
    }
  }
}

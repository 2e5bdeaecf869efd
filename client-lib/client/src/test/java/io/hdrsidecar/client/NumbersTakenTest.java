package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.internal.send.Verdict;
import io.hdrsidecar.internal.wire.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody who knows the client's id has sent intervals under its numbers. */
class NumbersTakenTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path directory = Path.of("set by JUnit");

  private TestPeer peer() throws IOException {
    return TestPeer.onUnixSocket(directory.resolve("sidecar.sock"));
  }

  private static HdrSidecarClient clientOf(TestPeer peer) {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address(peer.address())
            .interval(Duration.ofMillis(20))
            .backoff(Duration.ofMillis(5), Duration.ofMillis(50))
            .shutdownHook(false)
            .build());
  }

  private static void record(HdrSidecarClient client, long[] values) {
    LatencyRecorder recorder = client.recorder("checkout");
    Arrays.stream(values).forEach(recorder::record);
  }

  /** The sidecar goes away, and comes back with a number that this client never sent. */
  private static void takeNumbers(
      TestPeer peer, HdrSidecarClient client, long[] before, long[] meanwhile) throws IOException {
    peer.stop();
    Await.until("the loss", () -> !client.health().connected());
    record(client, meanwhile);
    long recorded = (long) before.length + meanwhile.length;
    Await.until("the sample", () -> client.health().harvestedValues() == recorded);
    peer.settledOfAll(Long.MAX_VALUE);
    peer.judge((n, series) -> Verdict.ACKNOWLEDGE);
    peer.start();
  }

  private static long instances(TestPeer peer) {
    return peer.hellos().stream().map(Frame.Hello::instance).distinct().count();
  }

  @Test
  void welcome_aboveWhatWasSent_clientGoesOnAsAnotherAndDeliversTheRest() throws IOException {
    long[] before = RawValues.latencies(5_000, 1);
    long[] after = RawValues.latencies(7_000, 2);
    try (TestPeer peer = peer();
        HdrSidecarClient client = clientOf(peer)) {
      record(client, before);
      Await.until("delivery", () -> client.health().acknowledgedValues() == before.length);

      takeNumbers(peer, client, before, after);

      assertThat(client.close(LONG)).isEqualTo(new DeliveryResult(true, 0, 0));
      assertThat(client.health().lostValues()).isEmpty();
      assertThat(instances(peer)).isEqualTo(2);
      assertThat(peer.breaches()).isEmpty();
      RawValues.assertArrived(peer.merged("checkout"), RawValues.joined(before, after));
    }
  }

  /** Whether they were merged nobody can say: here they were. */
  @Test
  void welcome_aboveWhatWasSent_intervalsWithoutAnswerAreCountedAndNotSentAgain()
      throws IOException {
    long[] unanswered = RawValues.latencies(5_000, 3);
    long[] after = RawValues.latencies(7_000, 4);
    try (TestPeer peer = peer();
        HdrSidecarClient client = clientOf(peer)) {
      peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
      record(client, unanswered);
      Await.until("the merge", () -> peer.mergedValues() == unanswered.length);

      takeNumbers(peer, client, unanswered, after);

      assertThat(client.close(LONG)).isEqualTo(new DeliveryResult(true, 0, 0));
      assertThat(client.health().lostValues())
          .isEqualTo(Map.of("numbers_taken", (long) unanswered.length));
      assertThat(client.health().acknowledgedValues()).isEqualTo(after.length);
      RawValues.assertArrived(peer.merged("checkout"), RawValues.joined(unanswered, after));
    }
  }
}

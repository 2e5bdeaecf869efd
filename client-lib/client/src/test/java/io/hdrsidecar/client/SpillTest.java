package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.internal.send.Verdict;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client leaves in its spill folder, and what a later one makes of it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpillTest {
  private final Path directory;
  private final Path folder;

  SpillTest(@TempDir Path directory) {
    this.directory = directory;
    this.folder = directory.resolve("spill");
  }

  private ClientConfig.Builder config() {
    return ClientConfig.builder()
        .address("unix://" + directory.resolve("sidecar.sock"))
        .interval(Duration.ofMillis(10))
        .backoff(Duration.ofMillis(1), Duration.ofMillis(10))
        .spillFolder(folder)
        .shutdownHook(false);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.equals("spill.lock"))
          .sorted()
          .toList();
    }
  }

  private boolean isFolderEmpty() {
    try {
      return files().isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Numbers whose sum shows one that is missing or counted twice. */
  private static void record(HdrSidecarClient client, String series, long first, long last) {
    LatencyRecorder recorder = client.recorder(series);
    for (long value = first; value <= last; value++) {
      recorder.record(value);
    }
  }

  private static void assertHasExactly(TestPeer peer, String key, long first, long last) {
    Accumulation merged = Objects.requireNonNull(peer.merged(key), key);
    assertThat(merged.count()).isEqualTo(last - first + 1);
    assertThat(merged.sum().toBigInteger().longValueExact())
        .isEqualTo((first + last) * (last - first + 1) / 2);
    assertThat(merged.min()).isEqualTo(first);
    assertThat(merged.max()).isEqualTo(last);
  }

  @Test
  void laterClient_afterAnAnswerWasLost_sendsOnlyWhatWasNotMerged() throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
      HdrSidecarClient first =
          HdrSidecarClient.create(config().commonLabels(Labels.of("pod", "one")).build());
      record(first, "calls", 1, 100);
      Await.until("the merge of which nobody tells", () -> peer.mergedValues() == 100);
      peer.stop();
      Await.until("the loss", () -> !first.health().connected());
      record(first, "calls", 101, 300);
      DeliveryResult result = first.close(Duration.ofMillis(200));
      assertThat(result.spilledValues()).isEqualTo(300);
      assertThat(result.spillFile()).isNotNull();
      assertThat(first.health().spilledValues()).isEqualTo(300);
      assertThat(first.health().lostValues()).isEmpty();

      peer.judge((n, series) -> Verdict.ACKNOWLEDGE);
      peer.start();
      try (HdrSidecarClient later = HdrSidecarClient.create(config().build())) {
        Await.until("everything", this::isFolderEmpty);
        Await.until("the figures", () -> later.health().recoveredValues() == 300);
        assertThat(later.health().recoveredIntervals()).isEqualTo(result.spilledIntervals());
      }

      assertThat(peer.breaches()).isEmpty();
      // This peer leaves common labels out, so what the file adds is told apart from the rest.
      assertHasExactly(peer, "calls", 1, 100);
      assertHasExactly(peer, "calls{pod=\"one\"}", 101, 300);
      assertThat(peer.hellos().stream().filter(hello -> !hello.commonLabels().isEmpty()))
          .hasSizeGreaterThanOrEqualTo(2)
          .allMatch(hello -> hello.instance().equals(peer.hellos().get(0).instance()));
    }
  }

  @Test
  void laterClient_ofAFileDamagedBehindWhatItReads_setsItAside() throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
      HdrSidecarClient first = HdrSidecarClient.create(config().build());
      record(first, "calls", 1, 100);
      Await.until("the first merge of which nobody tells", () -> peer.mergedValues() == 100);
      record(first, "calls", 101, 200);
      Await.until("the second", () -> peer.mergedValues() == 200);
      peer.stop();
      Await.until("the loss", () -> !first.health().connected());
      damageLastInterval(Objects.requireNonNull(first.close(Duration.ofMillis(10)).spillFile()));

      peer.judge((n, series) -> Verdict.ACKNOWLEDGE);
      peer.start();
      HdrSidecarClient later = HdrSidecarClient.create(config().build());
      Await.until("the end of the file", this::isSetAside);
      later.close(Duration.ofSeconds(20));

      assertThat(peer.breaches()).isEmpty();
      assertHasExactly(peer, "calls", 1, 200);
    }
  }

  private static void damageLastInterval(Path file) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    int last = lines.size() - 1;
    while (lines.get(last).startsWith("#")) {
      last--;
    }
    lines.set(last, lines.get(last).substring(1));
    Files.write(file, lines);
  }

  private boolean isSetAside() {
    try {
      return files().stream().allMatch(name -> name.endsWith(".bad"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void laterClient_ofAFileInParts_deliversThemExactly() throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.limits(1024, 4, 0);
      HdrSidecarClient first = HdrSidecarClient.create(config().build());
      Await.until("the limits", () -> first.health().connected());
      peer.stop();
      record(first, "calls", 1, 20_000);
      DeliveryResult result = first.close(Duration.ofMillis(100));
      assertThat(result.spilledIntervals()).as("parts").isGreaterThan(1);

      peer.start();
      try (HdrSidecarClient later = HdrSidecarClient.create(config().build())) {
        Await.until("everything", this::isFolderEmpty);
        assertThat(later.health().connected()).isTrue();
      }

      assertThat(peer.breaches()).isEmpty();
      assertHasExactly(peer, "calls", 1, 20_000);
    }
  }

  @Test
  void laterClient_ofASidecarWithShorterFrames_leavesTheFile() throws Exception {
    HdrSidecarClient first = HdrSidecarClient.create(config().build());
    record(first, "calls", 1, 20_000);
    DeliveryResult result = first.close(Duration.ofMillis(10));
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.limits(1024, 4, 0);
      try (HdrSidecarClient later = HdrSidecarClient.create(config().build())) {
        Await.until("some attempts", () -> peer.hellos().size() > 3);
        assertThat(later.health().connected()).isTrue();
      }
      assertThat(result.spillFile()).exists();
      assertThat(peer.mergedValues()).isZero();
    }
  }

  @Test
  void laterClient_notToPickUp_leavesTheFile() throws Exception {
    HdrSidecarClient first = HdrSidecarClient.create(config().build());
    record(first, "calls", 1, 10);
    DeliveryResult result = first.close(Duration.ofMillis(10));
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      HdrSidecarClient later = HdrSidecarClient.create(config().spillPickup(false).build());
      record(later, "others", 1, 10);
      assertThat(later.close(Duration.ofSeconds(20)).deliveredAll()).isTrue();

      assertThat(result.spillFile()).exists();
      assertThat(peer.mergedKeys()).containsExactly("others");
    }
  }

  @Test
  void laterClient_whoseSeriesIsRefused_countsTheLossByReason() throws Exception {
    HdrSidecarClient first = HdrSidecarClient.create(config().build());
    record(first, "refused", 1, 10);
    record(first, "taken", 1, 10);
    first.close(Duration.ofMillis(10));
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      peer.refuseSeries("refused");
      try (HdrSidecarClient later = HdrSidecarClient.create(config().build())) {
        Await.until("everything", this::isFolderEmpty);
        Await.until("the figures", () -> !later.health().lostValues().isEmpty());
        assertThat(later.health().lostValues().values()).containsExactly(10L);
        assertThat(later.health().recoveredValues()).isEqualTo(10);
      }
      assertHasExactly(peer, "taken", 1, 10);
    }
  }

  @Test
  void close_folderCannotBeMade_countsTheLossAndLeavesTheServiceAlone() throws Exception {
    Files.writeString(folder, "a file, not a folder");
    HdrSidecarClient client = HdrSidecarClient.create(config().build());
    record(client, "calls", 1, 10);

    DeliveryResult result = client.close(Duration.ofMillis(10));

    assertThat(result).isEqualTo(new DeliveryResult(false, 1, 10));
    assertThat(client.health().lostValues()).isEqualTo(Map.of("spill_failed", 10L));
  }

  @Test
  void close_everythingDelivered_writesNothing() throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      HdrSidecarClient client = HdrSidecarClient.create(config().build());
      record(client, "calls", 1, 10);

      assertThat(client.close(Duration.ofSeconds(20)).spillFile()).isNull();

      assertThat(files()).isEmpty();
      assertThat(peer.mergedValues()).isEqualTo(10);
    }
  }

  @Test
  void spillFile_name_doesNotTellTheInstance() throws Exception {
    HdrSidecarClient client = HdrSidecarClient.create(config().build());
    record(client, "calls", 1, 100);
    Path file = Objects.requireNonNull(client.close(Duration.ofMillis(10)).spillFile());

    String id = Files.readString(file).lines().filter(l -> l.startsWith("#I 1 ")).findFirst().get();
    assertThat(file.getFileName().toString()).doesNotContain(id.substring(5, 37));
  }
}

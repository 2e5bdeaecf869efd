package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.NodeAnswers.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes on a real broker. The truth is what HdrHistogram counts of all raw values; answers are read
 * by HdrHistogram, too.
 */
@Timeout(300)
class FleetNodeIT {
  private static final int PARTITIONS = 4;
  private static KafkaBroker brokers;

  @TempDir Path folder = Path.of("");
  private final List<String> failed = new CopyOnWriteArrayList<>(); // Of threads that merge.

  @BeforeAll
  static void startBrokers() throws Exception {
    brokers = KafkaBroker.direct();
  }

  @AfterAll
  static void stopBrokers() throws IOException {
    brokers.close();
  }

  @AfterEach
  void noNodeHasFailed() {
    assertThat(failed).isEmpty();
  }

  private static List<String> flags(String prefix) {
    return List.of(
        "--kafka-topic-prefix=" + prefix,
        "--kafka-partitions=" + PARTITIONS,
        "--kafka-create-topics",
        "--node-commit-interval=500ms");
  }

  private FleetNode start(String prefix, String state) throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--kafka-bootstrap-servers", brokers.bootstrap());
    flags.put("--kafka-replicas", "1");
    flags.put("--node-state-directory", folder.resolve(state).toString());
    flags.put("--http-port", "0");
    for (String flag : flags(prefix)) {
      String[] parts = flag.split("=", 2);
      flags.put(parts[0], parts.length == 1 ? "true" : parts[1]);
    }
    return FleetNode.start(
        NodeSettings.load(flags, Map.of(), null), () -> failed.add(prefix + " in " + state));
  }

  private static KafkaConfig config(String prefix, int partitions) {
    return new KafkaConfig(brokers.bootstrap(), null, prefix, partitions, true, 1);
  }

  private static void create(String prefix) throws Exception {
    KafkaConfig config = config(prefix, PARTITIONS);
    new TopicCheck(config).require(config.clientProperties(), AclOperation.READ);
  }

  /**
   * Compares every bucket, and once more with an interval of each series behind all others: when
   * that counts, what was sent again has been looked at, too.
   */
  private static void assertWhole(FeedingSidecars sidecars, URI... nodes) throws Exception {
    awaitWhole(sidecars, nodes);
    sidecars.sendToEach();
    awaitWhole(sidecars, nodes);
  }

  /** Waits until no count is missing, whichever node is asked. */
  private static void awaitWhole(FeedingSidecars sidecars, URI... nodes) throws Exception {
    for (URI node : nodes) {
      for (FleetSeries series : sidecars.series()) {
        Map<Long, Long> expected = sidecars.sent().buckets(series);
        await(
            "all counts of " + series.key() + " at " + node,
            () -> count(NodeAnswers.buckets(node, series)) >= count(expected));
        assertThat(NodeAnswers.buckets(node, series))
            .as("%s at %s", series.key(), node)
            .isEqualTo(expected);
      }
    }
  }

  private static long count(Map<Long, Long> buckets) {
    return buckets.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void awaitReady(URI node) throws Exception {
    await(node + " is ready", () -> NodeAnswers.isReady(node));
    assertThat(NodeAnswers.text(node, "/-/ready")).startsWith("hdr-sidecar is ready.");
  }

  @Test
  void node_killedInTheMidst_countsEachIntervalOnce() throws Exception {
    String prefix = "killed";
    long seed = Long.getLong("hdr.fleet.seed", System.nanoTime());
    int kills = Integer.getInteger("hdr.fleet.kills", 3);
    SplittableRandom random = new SplittableRandom(seed);
    create(prefix);
    long killMillis = 0;
    try (FeedingSidecars sidecars =
        new FeedingSidecars(brokers.bootstrap(), new TopicNames(prefix), PARTITIONS, 5, 20, seed)) {
      for (int kill = 0; kill < kills; kill++) {
        // The same folder, or an empty one, as on another machine.
        Path state = folder.resolve("state-" + (kill % 3 == 2 ? kill : 0));
        try (NodeProcess node = NodeProcess.start(brokers.bootstrap(), state, flags(prefix))) {
          awaitReady(node.http());
          long until = System.nanoTime() + Duration.ofMillis(random.nextInt(500, 3000)).toNanos();
          while (System.nanoTime() - until < 0) {
            sidecars.send(random.nextInt(1, 200));
          }
          node.kill();
        }
        sidecars.send(100);
      }
      long begun = System.nanoTime();
      try (NodeProcess node =
          NodeProcess.start(brokers.bootstrap(), folder.resolve("state-0"), flags(prefix))) {
        awaitReady(node.http());
        killMillis = (System.nanoTime() - begun) / 1_000_000;
        sidecars.send(100);
        assertWhole(sidecars, node.http());
        assertThat(NodeAnswers.text(node.http(), "/metrics"))
            .contains("hdr_sidecar_fleet_partitions 4.0")
            .containsPattern("hdr_sidecar_fleet_intervals_total [1-9]")
            .contains("latency_seconds_count{route=\"/r0\"}");
        assertThat(node.end()).as(node.output()).isZero();
      } finally {
        System.out.printf(
            "seed=%d kills=%d resent=%d ready_after_start_ms=%d%n",
            seed, kills, sidecars.resent(), killMillis);
      }
    }
  }

  @Test
  void nodes_oneThenTwoThenOne_showEachSeriesOnceAndWhole() throws Exception {
    String prefix = "moved";
    create(prefix);
    try (FeedingSidecars sidecars =
        new FeedingSidecars(brokers.bootstrap(), new TopicNames(prefix), PARTITIONS, 5, 20, 1)) {
      FleetNode first = start(prefix, "first");
      awaitReady(first.httpAddress());
      sidecars.send(2000);
      assertWhole(sidecars, first.httpAddress());
      FleetNode second = start(prefix, "second");
      await(
          "half of the partitions at the second node",
          () -> {
            sidecars.send(50);
            return second.counters().partitions() == PARTITIONS / 2;
          });
      awaitReady(second.httpAddress());
      sidecars.send(2000);
      assertWhole(sidecars, first.httpAddress(), second.httpAddress());
      assertThat(List.of(first.counters().partitions(), second.counters().partitions()))
          .containsExactly(2L, 2L);
      first.close();
      sidecars.send(500);
      awaitReady(second.httpAddress());
      assertWhole(sidecars, second.httpAddress());
      assertPastIsWhole(sidecars, second.httpAddress());
      second.close();
    }
  }

  /** All of this test happened within the last hour. */
  private static void assertPastIsWhole(FeedingSidecars sidecars, URI node) throws Exception {
    for (FleetSeries series : sidecars.series()) {
      assertThat(NodeAnswers.buckets(node, series, "&start=-1h"))
          .as("past of %s", series.key())
          .isEqualTo(sidecars.sent().buckets(series));
    }
  }

  @Test
  void topics_ofOtherPartitions_areRefusedWithWhatToDo() throws Exception {
    create("other");
    KafkaConfig eight = config("other", 8);
    assertThatThrownBy(
            () -> new TopicCheck(eight).require(eight.clientProperties(), AclOperation.READ))
        .hasMessageContaining("topic other.intervals must have 8 partitions")
        .hasMessageContaining("it has 4");
    KafkaConfig missing = new KafkaConfig(brokers.bootstrap(), null, "none", 4, false, 1);
    assertThatThrownBy(
            () -> new TopicCheck(missing).require(missing.clientProperties(), AclOperation.READ))
        .hasMessage(
            "topic none.intervals is not there; make it with 4 partitions, or set"
                + " kafka.create-topics");
  }

  @Test
  void uploads_toANode_areNotTaken() throws Exception {
    create("uploads");
    try (FleetNode node = start("uploads", "uploads")) {
      awaitReady(node.httpAddress());
      HttpResponse<byte[]> answer = NodeAnswers.get(node.httpAddress(), "/api/v1/intervals");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(NodeAnswers.text(node.httpAddress(), "/api/v1/status"))
          .contains("\"source\":\"steps\"")
          .contains("\"ready\":true");
    }
  }
}

package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.support.KafkaBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On how many of three brokers is what Kafka acknowledges. */
@Timeout(300)
class ReplicasIT {
  private static final List<String> STORES = List.of("totals", "steps", "numbers", "descriptions");
  private static KafkaBroker brokers;

  @TempDir Path folder = Path.of("");

  @BeforeAll
  static void start() throws Exception {
    brokers = KafkaBroker.three();
  }

  @AfterAll
  static void stop() throws Exception {
    brokers.close();
  }

  private static Set<String> topics(Admin admin, String prefix) throws Exception {
    Set<String> found = new TreeSet<>(admin.listTopics().names().get(30, TimeUnit.SECONDS));
    found.removeIf(name -> !name.startsWith(prefix));
    return found;
  }

  @Test
  void topics_thatAreMade_areAcknowledgedByTwoBrokers() throws Exception {
    Map<String, String> flags =
        Map.of(
            "--kafka-bootstrap-servers", brokers.bootstrap(),
            "--kafka-topic-prefix", "made",
            "--kafka-create-topics", "true",
            "--kafka-partitions", "1",
            "--node-state-directory", folder.toString(),
            "--http-port", "0");
    try (Admin admin = Admin.create(brokers.properties());
        FleetNode node = FleetNode.start(NodeSettings.load(flags, Map.of(), null), () -> {})) {
      assertThat(node.httpAddress()).isNotNull();
      Set<String> expected = new TreeSet<>(Set.of("made.intervals", "made.series"));
      STORES.forEach(store -> expected.add("made-node-" + store + "-changelog"));
      NodeAnswers.await( // Kafka Streams makes changelogs once the group has its partitions.
          "changelogs are there", () -> topics(admin, "made").containsAll(expected));
      admin
          .describeConfigs(
              expected.stream()
                  .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                  .toList())
          .all()
          .get(30, TimeUnit.SECONDS)
          .forEach(
              (topic, config) ->
                  assertThat(config.get("min.insync.replicas").value())
                      .as(topic.name())
                      .isEqualTo("2"));
    }
  }

  @Test
  void topic_thatOneBrokerAcknowledges_isNamed() throws Exception {
    try (Admin admin = Admin.create(brokers.properties())) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("risk.intervals", 1, (short) 3),
                  new NewTopic("risk.series", 1, (short) 3)
                      .configs(Map.of("cleanup.policy", "compact", "min.insync.replicas", "2"))))
          .all()
          .get(30, TimeUnit.SECONDS);
      NodeAnswers.await( // Brokers hear of it from the controller.
          "both topics are there", () -> topics(admin, "risk").size() == 2);
    }
    KafkaConfig config = new KafkaConfig(brokers.bootstrap(), null, "risk", 1, false, 3);
    List<String> said = new CopyOnWriteArrayList<>();
    Handler handler = new KeptLines(said);
    Logger logger = Logger.getLogger(TopicCheck.class.getName());
    logger.addHandler(handler);
    try {
      new TopicCheck(config).require(config.clientProperties(), AclOperation.READ);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(said)
        .singleElement()
        .asString()
        .contains("topic_at_risk", "risk.intervals", "min.insync.replicas=2");
  }
}

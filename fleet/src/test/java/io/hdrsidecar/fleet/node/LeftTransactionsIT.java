package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.NodeAnswers.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.test.JaasUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that are open for ten minutes, unless somebody ends them. */
@Timeout(300)
class LeftTransactionsIT {
  private static final int PARTITIONS = 2;
  private static KafkaBroker brokers;

  @TempDir Path folder = Path.of("");
  private final List<KafkaConsumer<byte[], byte[]>> members = new ArrayList<>();
  private final NodeCounters counters = new NodeCounters();

  @BeforeAll
  static void startBrokers() throws Exception {
    brokers = KafkaBroker.direct();
    brokers.createTopic("any", 1, Map.of());
  }

  @AfterAll
  static void stopBrokers() throws IOException {
    brokers.close();
  }

  @AfterEach
  void leave() {
    members.forEach(KafkaConsumer::close);
  }

  private static String id(String group) {
    return group + "-" + UUID.randomUUID() + "-1";
  }

  private static OpenTransaction open(Properties to, String id) throws Exception {
    return OpenTransaction.begin(to, id, "any", 1);
  }

  /** A member as Kafka Streams would name it that has this transactional id. */
  private static String memberOf(String id) {
    return id.substring(0, id.lastIndexOf('-')) + "-StreamThread-1-consumer";
  }

  private static ConsumerGroupDescription group(Admin admin, String group) throws Exception {
    return Objects.requireNonNull(
        admin.describeConsumerGroups(List.of(group)).all().get(30, TimeUnit.SECONDS).get(group));
  }

  private static boolean isThere(Admin admin, String group) throws Exception {
    return admin.listGroups().all().get(30, TimeUnit.SECONDS).stream()
        .anyMatch(found -> found.groupId().equals(group));
  }

  /** Joins the group, beside those that did before. */
  private void join(Properties to, String group, String clientId) throws Exception {
    Properties all = new Properties();
    all.putAll(to);
    all.put("group.id", group);
    all.put("client.id", clientId);
    KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    members.add(member);
    member.subscribe(List.of("any"));
    try (Admin admin = Admin.create(to)) {
      await(
          clientId + " is a member",
          () -> {
            members.forEach(each -> each.poll(Duration.ofMillis(50)));
            return isThere(admin, group)
                && group(admin, group).members().stream()
                    .anyMatch(found -> found.clientId().equals(clientId));
          });
    }
  }

  private LeftTransactions left(Properties to, String group, String own) {
    return new LeftTransactions(Admin.create(to), group, Set.of(own), counters);
  }

  private FleetNode start(String prefix, String state, Runnable onFailure) throws Exception {
    Map<String, String> flags =
        Map.of(
            "--kafka-bootstrap-servers",
            brokers.bootstrap(),
            "--kafka-topic-prefix",
            prefix,
            "--kafka-partitions",
            String.valueOf(PARTITIONS),
            "--kafka-create-topics",
            "true",
            "--kafka-replicas",
            "1",
            "--node-commit-interval",
            "500ms",
            "--node-state-directory",
            folder.resolve(state).toString(),
            "--http-port",
            "0");
    return FleetNode.start(NodeSettings.load(flags, Map.of(), null), onFailure);
  }

  private FleetNode start(String prefix, String state) throws Exception {
    return start(prefix, state, () -> {});
  }

  private static void awaitWhole(FeedingSidecars sidecars, FleetNode node) throws Exception {
    for (FleetSeries series : sidecars.series()) {
      Map<Long, Long> expected = sidecars.sent().buckets(series);
      await(
          "all is counted, and nothing twice: " + series.key(),
          () -> NodeAnswers.buckets(node.httpAddress(), series).equals(expected));
    }
  }

  @Test
  void node_thatTakesOver_endsWhatADeadOneHadLeftOpen() throws Exception {
    try (Admin admin = Admin.create(brokers.properties())) {
      FleetNode dying = start("taken", "dying");
      try (FeedingSidecars sidecars =
          new FeedingSidecars(brokers.bootstrap(), new TopicNames("taken"), PARTITIONS, 3, 5, 20)) {
        sidecars.send(200);
        sidecars.sendToEach();
        awaitWhole(sidecars, dying);
        dying.close();
        await(
            "brokers know that it is gone",
            () -> group(admin, "taken-node").groupState() == GroupState.EMPTY);
        OpenTransaction.begin(
                brokers.properties(), id("taken-node"), "taken-node-totals-changelog", PARTITIONS)
            .withPositions("taken-node", "taken.intervals", PARTITIONS)
            .abandon();

        try (FleetNode next = start("taken", "next")) {
          awaitWhole(sidecars, next);
          sidecars.sendToEach();
          awaitWhole(sidecars, next);
          assertThat(next.counters().leftTransactionsEnded()).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void transactions_ofMembersAndOfOthers_areLeftAlone() throws Exception {
    Properties to = brokers.properties();
    String own = id("some-node");
    String living = id("some-node");
    String gone = id("some-node");
    OpenTransaction ofLiving = open(to, living);
    OpenTransaction ofGone = open(to, gone);
    List<OpenTransaction> ofOthers =
        List.of(
            open(to, id("some-node-other-node")),
            open(to, id("other-some-node")),
            open(to, "some-node-mine-1"),
            open(to, id("some-node") + "-2"));
    try (LeftTransactions left = left(to, "some-node", own)) {
      join(to, "some-node", memberOf(living));
      left.endOfGone();
      assertThat(ofGone.isOpen()).as("it is not a member itself").isTrue();

      join(to, "some-node", memberOf(own));
      left.endOfGone();
      assertThat(counters.leftTransactionsEnded()).isEqualTo(1);
      assertThat(ofGone.commits()).isFalse();
      assertThat(ofLiving.commits()).isTrue();
      assertThat(ofOthers).allMatch(OpenTransaction::commits);

      OpenTransaction ofNobody = open(to, id("some-node"));
      join(to, "some-node", "of-a-process-with-another-name");
      left.endOfGone();
      assertThat(ofNobody.commits()).as("one member may be of any process").isTrue();
      assertThat(counters.leftTransactionsEnded()).isEqualTo(1);
    }
  }

  @Test
  void node_thatStartsAgain_endsItsOwn() throws Exception {
    FleetNode first = start("again", "again");
    await("its stores are there", () -> NodeAnswers.isReady(first.httpAddress()));
    first.close();
    String process = OpenTransaction.process(folder.resolve("again/again-node"));
    OpenTransaction before = open(brokers.properties(), "again-node-" + process + "-1");
    try (FleetNode again = start("again", "again")) {
      // Kafka Streams would do it too, uncounted, but only when the node gets partitions.
      assertThat(again.counters().leftTransactionsEnded()).isEqualTo(1);
      assertThat(before.commits()).isFalse();
    }
  }

  @Test
  void transactions_ofAnotherProcess_outlastTheStart() throws Exception {
    Properties to = brokers.properties();
    String own = id("own-node");
    OpenTransaction before = open(to, own);
    OpenTransaction ofAnother = open(to, id("own-node"));
    try (LeftTransactions left = left(to, "own-node", own)) {
      left.endOwn();
    }
    assertThat(before.commits()).isFalse();
    assertThat(ofAnother.commits()).isTrue();
  }

  /** Brokers removed it from the group, and it is alive: it merges again from its last commit. */
  @Test
  void node_whoseTransactionsAreEndedThoughItLives_countsEachIntervalOnce() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    try (Admin admin = Admin.create(brokers.properties());
        FleetNode node = start("alive", "alive", failures::incrementAndGet);
        FeedingSidecars sidecars =
            new FeedingSidecars(
                brokers.bootstrap(), new TopicNames("alive"), PARTITIONS, 3, 5, 21)) {
      String id =
          "alive-node-" + OpenTransaction.process(folder.resolve("alive/alive-node")) + "-1";
      sidecars.sendToEach();
      for (int times = 0; times < 20; times++) {
        await("it merges", () -> NodeAnswers.isReady(node.httpAddress()));
        sidecars.send(50);
        admin.fenceProducers(List.of(id)).all().get(30, TimeUnit.SECONDS);
        sidecars.send(50);
      }
      awaitWhole(sidecars, node);
      sidecars.sendToEach();
      awaitWhole(sidecars, node);
      assertThat(failures).hasValue(0);
    }
  }

  private static void allowToDescribe(Admin admin, ResourceType what, String begin)
      throws Exception {
    admin
        .createAcls(
            List.of(
                new AclBinding(
                    new ResourcePattern(what, begin, PatternType.PREFIXED),
                    new AccessControlEntry(
                        "User:" + JaasUtils.KAFKA_PLAIN_USER1,
                        "*",
                        AclOperation.DESCRIBE,
                        AclPermissionType.ALLOW))))
        .all()
        .get(30, TimeUnit.SECONDS);
  }

  @Test
  void brokers_thatForbidIt_areNamedOnce_andEndItThemselves() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    Handler handler = new KeptLines(said);
    Logger logger = Logger.getLogger(LeftTransactions.class.getName());
    logger.addHandler(handler);
    try (KafkaBroker secured = KafkaBroker.withUsers();
        Admin admin = Admin.create(secured.properties())) {
      secured.createTopic("any", 1, Map.of());
      Properties mayNot = secured.properties();
      mayNot.putAll(KafkaBroker.ordinaryUser());
      allowToDescribe(admin, ResourceType.TRANSACTIONAL_ID, "own-node");
      allowToDescribe(admin, ResourceType.GROUP, "own-node");
      String own = id("own-node");
      OpenTransaction ofGone = open(secured.properties(), id("own-node"));
      try (Admin asking = Admin.create(mayNot)) {
        await(
            "brokers know that it may look",
            () -> !asking.listTransactions().all().get(30, TimeUnit.SECONDS).isEmpty());
      }
      try (LeftTransactions left = left(mayNot, "own-node", own)) {
        left.endOfGone();
        assertThat(said).as("before it has joined").isEmpty();

        join(secured.properties(), "own-node", memberOf(own));
        left.endOfGone();
        left.endOfGone();
      }
      assertThat(said)
          .singleElement()
          .asString()
          .contains(
              "event=left_transactions_stay", "own-node", "60", "TransactionalIdAuthorization")
          .contains("DESCRIBE and WRITE on transactional ids");
      assertThat(ofGone.commits()).isTrue();
      members.forEach(KafkaConsumer::close);
      members.clear();
    } finally {
      logger.removeHandler(handler);
    }
  }
}

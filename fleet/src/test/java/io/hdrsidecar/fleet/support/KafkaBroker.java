package io.hdrsidecar.fleet.support;

import io.hdrsidecar.fleet.kafka.KafkaLogs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kafka.server.BrokerServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.test.JaasUtils;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/**
 * One real broker, with KRaft, in this JVM. Clients reach it by a way that can be cut, and that
 * stays the same when the broker starts again.
 */
public final class KafkaBroker implements AutoCloseable {
  private static final ListenerName LISTENER = ListenerName.normalised("EXTERNAL");

  /** That of TLS and passwords. */
  private static final ListenerName SECURE = ListenerName.normalised("SECURE");

  private static final String SCRAM = "SCRAM-SHA-512";
  private static final int BROKER = 0;

  private final SwitchedWay way = new SwitchedWay();
  private final SwitchedWay secureWay = new SwitchedWay();
  private final boolean isSecure;
  private final boolean isDirect;
  private final KafkaClusterTestKit kit;

  private final Map<String, String> admin;

  /** Starts one, which takes some seconds. */
  public KafkaBroker() throws Exception {
    this(SecurityProtocol.PLAINTEXT, Map.of(), Map.of(), 1, false);
  }

  /** The same without a way between, which costs processor time: it cannot be cut. */
  public static KafkaBroker direct() throws Exception {
    KafkaLogs.quieten();
    return new KafkaBroker(SecurityProtocol.PLAINTEXT, Map.of(), Map.of(), 1, true);
  }

  /** Three of the latter, so that a topic can have replicas. */
  public static KafkaBroker three() throws Exception {
    KafkaLogs.quieten();
    return new KafkaBroker(SecurityProtocol.PLAINTEXT, Map.of(), Map.of(), 3, true);
  }

  /**
   * The same with a second way to it, which wants TLS and a password.
   *
   * @param keys PEM file of its key, and of its certificate for localhost
   */
  public static KafkaBroker withTls(Path keys) throws Exception {
    String secure = "listener.name." + SECURE.value().toLowerCase(Locale.ROOT) + ".";
    return new KafkaBroker(
        SecurityProtocol.PLAINTEXT,
        Map.of(),
        Map.of(
            "listeners",
            "EXTERNAL://localhost:0,SECURE://localhost:0",
            "listener.security.protocol.map",
            "CONTROLLER:PLAINTEXT,EXTERNAL:PLAINTEXT,SECURE:SASL_SSL",
            secure + "ssl.keystore.type",
            "PEM",
            secure + "ssl.keystore.location",
            keys.toString(),
            secure + "sasl.enabled.mechanisms",
            SCRAM,
            secure + SCRAM.toLowerCase(Locale.ROOT) + ".sasl.jaas.config",
            "org.apache.kafka.common.security.scram.ScramLoginModule required;"),
        1,
        false);
  }

  /** The same, which asks for a password, and allows nothing that no ACL does. */
  public static KafkaBroker withUsers() throws Exception {
    return new KafkaBroker(
        SecurityProtocol.SASL_PLAINTEXT,
        user(JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD),
        Map.of(),
        1,
        false);
  }

  private KafkaBroker(
      SecurityProtocol protocol,
      Map<String, String> admin,
      Map<String, String> secure,
      int brokers,
      boolean isDirect)
      throws Exception {
    this.isDirect = isDirect;
    this.admin = admin;
    this.isSecure = !secure.isEmpty();
    Map<String, String> settings = new HashMap<>(secure);
    if (!isDirect) {
      settings.put(
          "advertised.listeners",
          LISTENER.value()
              + "://"
              + way.hostAndPort()
              + (isSecure ? "," + SECURE.value() + "://" + secureBootstrap() : ""));
    }
    TestKitNodes nodes =
        new TestKitNodes.Builder()
            .setCombined(isDirect)
            .setNumControllerNodes(1)
            .setNumBrokerNodes(brokers)
            .setBrokerSecurityProtocol(protocol)
            .setControllerSecurityProtocol(protocol)
            .setPerServerProperties(Map.of(BROKER, settings))
            .build();
    kit =
        new KafkaClusterTestKit.Builder(nodes)
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("offsets.topic.num.partitions", "1")
            .setConfigProp("transaction.state.log.replication.factor", "1")
            .setConfigProp("transaction.state.log.min.isr", "1")
            .setConfigProp("transaction.state.log.num.partitions", "1")
            .setConfigProp("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000")
            .setConfigProp("group.initial.rebalance.delay.ms", "0")
            .setConfigProp("auto.create.topics.enable", "false")
            .build();
    kit.format();
    kit.startup();
    kit.waitForReadyBrokers();
    if (!isDirect) {
      lead();
    }
  }

  /** What a user without rights puts into the file of properties. */
  public static Map<String, String> ordinaryUser() {
    return user(JaasUtils.KAFKA_PLAIN_USER1, JaasUtils.KAFKA_PLAIN_USER1_PASSWORD);
  }

  private static Map<String, String> user(String name, String password) {
    return Map.of(
        "security.protocol", "SASL_PLAINTEXT",
        "sasl.mechanism", "PLAIN",
        "sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
                + name
                + "\" password=\""
                + password
                + "\";");
  }

  /** Allows the ordinary user something with all topics, or no longer. */
  public void allow(AclOperation operation, boolean isAllowed) throws Exception {
    AclBinding binding =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, "*", PatternType.LITERAL),
            new AccessControlEntry(
                "User:" + JaasUtils.KAFKA_PLAIN_USER1, "*", operation, AclPermissionType.ALLOW));
    try (Admin client = Admin.create(properties())) {
      if (isAllowed) {
        client.createAcls(List.of(binding)).all().get(30, TimeUnit.SECONDS);
      } else {
        client.deleteAcls(List.of(binding.toFilter())).all().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private BrokerServer broker() {
    return Objects.requireNonNull(kit.brokers().get(BROKER));
  }

  /** Lets clients through again. */
  public void lead() {
    way.leadTo(broker().socketServer().boundPort(LISTENER));
    if (isSecure) {
      secureWay.leadTo(broker().socketServer().boundPort(SECURE));
    }
  }

  /** Ends all connections of clients, and lets none through until {@link #lead}. */
  public void cut() {
    way.leadNowhere();
    secureWay.leadNowhere();
  }

  /** Stops the broker and starts it again, with what it has on disk; not one that is direct. */
  public void restart() throws Exception {
    BrokerServer broker = broker();
    broker.shutdown();
    broker.awaitShutdown();
    broker.startup();
    kit.waitForReadyBrokers();
    lead();
  }

  /** What clients are told. */
  public String bootstrap() {
    return isDirect ? kit.bootstrapServers() : way.hostAndPort();
  }

  /** What clients are told that come with TLS; the name is that of the certificate. */
  public String secureBootstrap() {
    return "localhost:" + secureWay.port();
  }

  /** Gives a user of the second way a password, or another one. */
  public void setPassword(String user, String password) throws Exception {
    ScramCredentialInfo kind = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
    try (Admin client = Admin.create(properties())) {
      client
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion(user, kind, password)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  /** What clients of Kafka need to reach it, and to do anything. */
  public Properties properties() {
    Properties properties = new Properties();
    properties.putAll(admin);
    properties.put("bootstrap.servers", bootstrap());
    return properties;
  }

  /** Makes a topic. */
  public void createTopic(String name, int partitions, Map<String, String> settings)
      throws Exception {
    try (Admin admin = Admin.create(properties())) {
      admin
          .createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
          .all()
          .get(30, TimeUnit.SECONDS);
      while (!admin.listTopics().names().get(30, TimeUnit.SECONDS).contains(name)) {
        LockSupport.parkNanos(10_000_000); // The broker hears of it from the controller.
      }
    }
  }

  /** Makes both topics of a fleet. */
  public void createTopics(String prefix, int partitions) throws Exception {
    createTopic(prefix + ".intervals", partitions, Map.of());
    createTopic(prefix + ".series", partitions, Map.of("cleanup.policy", "compact"));
  }

  /** Changes a setting of a topic. */
  public void setTopic(String name, String setting, String value) throws Exception {
    try (Admin admin = Admin.create(properties())) {
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
      admin
          .incrementalAlterConfigs(
              Map.of(
                  topic,
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      kit.close();
    } catch (Exception e) {
      throw new IOException(e);
    }
    way.close();
    secureWay.close();
  }
}

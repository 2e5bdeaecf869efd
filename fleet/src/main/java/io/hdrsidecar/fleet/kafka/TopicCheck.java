package io.hdrsidecar.fleet.kafka;

import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.sidecar.input.CauseText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks whether the topics are there, and have the number of partitions that everybody reckons
 * with.
 *
 * <p>A series belongs to one partition for ever, and what a partition has merged is known there
 * alone. With another number of partitions a series would begin anew in another one, and an
 * interval that is sent again be counted again.
 */
public final class TopicCheck {
  private static final Logger LOG = System.getLogger(TopicCheck.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Less than that: it is told which topic is not there, and not that nobody answers. */
  private static final Duration MOMENT = Duration.ofSeconds(10);

  private static final Duration FIRST_WORD = Duration.ofSeconds(1);
  private static final Duration NEXT_WORD = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 50;

  /** The longest frame that may be configured, its key and headers beside it. */
  private static final String MAX_RECORD_BYTES = String.valueOf(2 << 20);

  /** Nodes merge within seconds; this is for when they are away. */
  private static final String INTERVALS_RETENTION_MILLIS =
      String.valueOf(TimeUnit.DAYS.toMillis(7));

  private final KafkaConfig config;

  /** Of a fleet. */
  public TopicCheck(KafkaConfig config) {
    this.config = config;
  }

  /**
   * Asks the brokers, and makes what is missing if that is configured. Blocks, half a minute at
   * most.
   *
   * @param properties of Kafka's clients
   * @param operation what is going to be done with both topics
   * @return by topic, what was found
   * @throws TopicsException when topics are missing or others than they should be, or the brokers
   *     do not answer
   */
  public Map<String, FoundTopic> require(Map<String, Object> properties, AclOperation operation)
      throws TopicsException {
    Map<String, Object> asked = new HashMap<>(properties);
    int patienceMillis = (int) PATIENCE.toMillis();
    asked.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMillis);
    asked.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMillis / 2);
    try {
      Admin admin = Admin.create(asked);
      try {
        return require(admin, operation);
      } finally {
        admin.close(Duration.ZERO); // It would wait for what nobody answers.
      }
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new TopicsException(
          "kafka.bootstrap-servers ("
              + config.bootstrapServers()
              + ") or kafka.properties: "
              + CauseText.of(cause),
          true,
          e);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      throw new TopicsException(
          "brokers at " + config.bootstrapServers() + problem(cause),
          cause instanceof AuthenticationException,
          cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicsException("interrupted while asking the brokers", false, e);
    }
  }

  private Map<String, FoundTopic> require(Admin admin, AclOperation operation)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    BrokerWait wait = new BrokerWait(config.bootstrapServers(), PATIENCE, FIRST_WORD, NEXT_WORD);
    if (config.createTopics()) {
      create(admin, wait);
    }
    for (String topic : config.topics().all()) {
      requirePartitions(admin, wait, topic);
    }
    return found(admin, wait, requireAllowed(admin, wait, operation));
  }

  /** Kafka says that a handshake has failed, and its cause why; and of the wrong port nothing. */
  private String problem(Throwable failure) {
    String text = CauseText.of(failure);
    Throwable cause = failure.getCause();
    if (failure instanceof SaslAuthenticationException) {
      return " must know user and password of "
          + file()
          + ", and refuse them: "
          + text
          + ". Mend sasl.jaas.config and sasl.mechanism there, or give the brokers that user.";
    }
    if (failure instanceof AuthenticationException) {
      return " cannot be asked: "
          + text
          + (cause == null ? "" : ": " + cause.getMessage())
          + " ("
          + file()
          + ")";
    }
    boolean isSilence =
        failure instanceof TimeoutException
            || failure instanceof org.apache.kafka.common.errors.TimeoutException;
    return " cannot be asked: "
        + (isSilence
            ? "no answer within "
                + PATIENCE.toSeconds()
                + " s. Is that their address, are they up, and do they want TLS or a password"
                + " (kafka.properties)?"
            : text);
  }

  private String file() {
    Path file = config.properties();
    return "kafka.properties (" + (file == null ? "not set" : file) + ")";
  }

  private void create(Admin admin, BrokerWait wait)
      throws ExecutionException, InterruptedException, TimeoutException {
    TopicNames names = config.topics();
    String inSync = String.valueOf(config.minInSyncReplicas());
    List<NewTopic> topics = new ArrayList<>();
    topics.add(
        topic(names.intervals())
            .configs(
                Map.of(
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    "LogAppendTime",
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    MAX_RECORD_BYTES,
                    TopicConfig.RETENTION_MS_CONFIG,
                    INTERVALS_RETENTION_MILLIS,
                    TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                    inSync)));
    topics.add(
        topic(names.series())
            .configs(
                Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_COMPACT,
                    TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                    inSync)));
    for (Map.Entry<String, KafkaFuture<Void>> made :
        admin.createTopics(topics).values().entrySet()) {
      try {
        wait.of(made.getValue());
        LOG.log(
            Level.INFO,
            "event=topic_created topic={0} partitions={1} replicas={2}",
            made.getKey(),
            config.partitions(),
            config.replicas());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
    }
    awaitThere(admin, wait);
  }

  /** Brokers hear of topics a moment after the controller has made them. */
  private void awaitThere(Admin admin, BrokerWait wait)
      throws ExecutionException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + MOMENT.toNanos();
    while (!wait.of(admin.listTopics().names()).containsAll(config.topics().all())
        && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private NewTopic topic(String name) {
    return new NewTopic(name, config.partitions(), (short) config.replicas());
  }

  private void requirePartitions(Admin admin, BrokerWait wait, String topic)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    int found = 0;
    try {
      for (TopicDescription description :
          wait.of(admin.describeTopics(List.of(topic)).allTopicNames()).values()) {
        found = description.partitions().size();
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw e;
      }
      throw new TopicsException(
          "topic "
              + topic
              + " is not there; make it with "
              + config.partitions()
              + " partitions, or set kafka.create-topics");
    }
    if (found != config.partitions()) {
      throw new TopicsException(
          "topic "
              + topic
              + " must have "
              + config.partitions()
              + " partitions (kafka.partitions): it has "
              + found
              + "; set kafka.partitions to what it was made with, and if it was enlarged since,"
              + " begin anew with another kafka.topic-prefix");
    }
  }

  /** As far as the brokers say what is allowed; without an authorizer everything is. */
  private Map<String, TopicDescription> requireAllowed(
      Admin admin, BrokerWait wait, AclOperation operation)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    Map<String, TopicDescription> topics =
        wait.of(
            admin
                .describeTopics(
                    config.topics().all(),
                    new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .allTopicNames());
    for (TopicDescription topic : topics.values()) {
      Set<AclOperation> allowed = topic.authorizedOperations();
      if (allowed != null && !allowed.contains(operation)) {
        throw new TopicsException(
            "topic " + topic.name() + " needs the operation " + operation + ": allow it by an ACL");
      }
    }
    return topics;
  }

  /** Intervals that were compacted away would be lost; descriptions may be deleted as well. */
  private void requirePolicy(String topic, Config found) throws TopicsException {
    boolean isOfIntervals = topic.equals(config.topics().intervals());
    String wanted =
        isOfIntervals ? TopicConfig.CLEANUP_POLICY_DELETE : TopicConfig.CLEANUP_POLICY_COMPACT;
    String policy = found.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
    Set<String> policies = Set.of(policy.split(","));
    if (!policies.contains(wanted) || (isOfIntervals && policies.size() > 1)) {
      throw new TopicsException(
          "topic "
              + topic
              + " must have "
              + TopicConfig.CLEANUP_POLICY_CONFIG
              + "="
              + wanted
              + ": it has "
              + policy);
    }
  }

  /**
   * Copies that need not have what is acknowledged are no copies. That is no reason to refuse, as a
   * fleet on one broker runs the same risk.
   */
  private static void warnOfRisk(TopicDescription topic, Config found) {
    int replicas = topic.partitions().get(0).replicas().size();
    String inSync = found.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value();
    if (replicas > 1 && inSync.equals("1")) {
      LOG.log(
          Level.WARNING,
          "event=topic_at_risk topic={0} replicas={1} min_insync_replicas={2}; it must be 2 or"
              + " more: what Kafka acknowledges may be on one broker alone now, and is lost with"
              + " it. Set min.insync.replicas=2 of the topic",
          topic.name(),
          replicas,
          inSync);
    }
  }

  private Map<String, FoundTopic> found(
      Admin admin, BrokerWait wait, Map<String, TopicDescription> described)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    List<ConfigResource> resources =
        config.topics().all().stream()
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    Map<String, FoundTopic> all = new TreeMap<>();
    for (Map.Entry<ConfigResource, Config> topic :
        wait.of(admin.describeConfigs(resources).all()).entrySet()) {
      requirePolicy(topic.getKey().name(), topic.getValue());
      String bytes = topic.getValue().get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value();
      String name = topic.getKey().name();
      TopicDescription description = described.get(name);
      if (description == null) {
        throw new TopicsException("topic " + name + " is not there any more");
      }
      warnOfRisk(description, topic.getValue());
      all.put(name, new FoundTopic(description.topicId(), Integer.parseInt(bytes)));
    }
    return all;
  }
}

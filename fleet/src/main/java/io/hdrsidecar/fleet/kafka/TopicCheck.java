package io.hdrsidecar.fleet.kafka;

import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.sidecar.input.CauseText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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
  private static final int PATIENCE_SECONDS = 30;
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
    asked.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_SECONDS * 1000);
    asked.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_SECONDS * 1000 / 2);
    try (Admin admin = Admin.create(asked)) {
      if (config.createTopics()) {
        create(admin);
      }
      for (String topic : config.topics().all()) {
        requirePartitions(admin, topic);
      }
      return found(admin, requireAllowed(admin, operation));
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
          "brokers at " + config.bootstrapServers() + " cannot be asked: " + reason(cause),
          cause instanceof AuthenticationException,
          cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicsException("interrupted while asking the brokers", false, e);
    }
  }

  /** Kafka says that a handshake has failed, and its cause why; and of the wrong port nothing. */
  private static String reason(Throwable failure) {
    String text = CauseText.of(failure);
    Throwable cause = failure.getCause();
    if (failure instanceof AuthenticationException) {
      return text + (cause == null ? "" : ": " + cause.getMessage()) + " (kafka.properties)";
    }
    return failure instanceof org.apache.kafka.common.errors.TimeoutException
        ? text + " Is that their address, and do they want TLS or a password (kafka.properties)?"
        : text;
  }

  private void create(Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    TopicNames names = config.topics();
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
                    INTERVALS_RETENTION_MILLIS)));
    topics.add(
        topic(names.series())
            .configs(
                Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
    for (Map.Entry<String, KafkaFuture<Void>> made :
        admin.createTopics(topics).values().entrySet()) {
      try {
        made.getValue().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
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
    awaitThere(admin);
  }

  /** Brokers hear of topics a moment after the controller has made them. */
  private void awaitThere(Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!admin
            .listTopics()
            .names()
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
            .containsAll(config.topics().all())
        && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private NewTopic topic(String name) {
    return new NewTopic(name, config.partitions(), (short) config.replicas());
  }

  private void requirePartitions(Admin admin, String topic)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    int found = 0;
    try {
      for (TopicDescription description :
          admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
              .values()) {
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
  private Map<String, TopicDescription> requireAllowed(Admin admin, AclOperation operation)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    Map<String, TopicDescription> topics =
        admin
            .describeTopics(
                config.topics().all(),
                new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .allTopicNames()
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
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

  private Map<String, FoundTopic> found(Admin admin, Map<String, TopicDescription> described)
      throws TopicsException, ExecutionException, InterruptedException, TimeoutException {
    List<ConfigResource> resources =
        config.topics().all().stream()
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    Map<String, FoundTopic> all = new TreeMap<>();
    for (Map.Entry<ConfigResource, Config> topic :
        admin.describeConfigs(resources).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS).entrySet()) {
      requirePolicy(topic.getKey().name(), topic.getValue());
      String bytes = topic.getValue().get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value();
      String name = topic.getKey().name();
      TopicDescription description = described.get(name);
      if (description == null) {
        throw new TopicsException("topic " + name + " is not there any more");
      }
      all.put(name, new FoundTopic(description.topicId(), Integer.parseInt(bytes)));
    }
    return all;
  }
}

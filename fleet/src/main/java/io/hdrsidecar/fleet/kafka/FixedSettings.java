package io.hdrsidecar.fleet.kafka;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What the file of Kafka's settings must not have, as counting once, or the memory of a process,
 * rests on it; or as it is a setting of ours. Kafka finds most of it by several names: of each
 * client of Kafka Streams apart, as {@code main.consumer.isolation.level}.
 */
final class FixedSettings {
  private static final List<String> PREFIXES =
      List.of(
          "main.consumer.",
          "restore.consumer.",
          "global.consumer.",
          "consumer.",
          "producer.",
          "admin.");

  private static final Set<String> OF_CLIENTS =
      Set.of(
          "bootstrap.servers",
          "key.serializer",
          "value.serializer",
          "key.deserializer",
          "value.deserializer",
          "interceptor.classes");

  private static final Set<String> OF_PRODUCERS =
      Set.of(
          "acks",
          "enable.idempotence",
          "retries",
          "max.in.flight.requests.per.connection",
          "delivery.timeout.ms",
          "max.block.ms",
          "max.request.size",
          "buffer.memory",
          "transactional.id",
          "transaction.timeout.ms",
          "transaction.two.phase.commit.enable",
          "partitioner.class",
          "partitioner.ignore.keys");

  private static final Set<String> OF_CONSUMERS =
      Set.of(
          "group.id",
          "group.instance.id",
          "group.protocol",
          "group.remote.assignor",
          "partition.assignment.strategy",
          "isolation.level",
          "enable.auto.commit",
          "auto.offset.reset",
          "max.partition.fetch.bytes");

  private static final Set<String> OF_STREAMS =
      Set.of(
          "application.id",
          "application.server",
          "processing.guarantee",
          "commit.interval.ms",
          "num.stream.threads",
          "num.standby.replicas",
          "replication.factor",
          "state.dir",
          "statestore.cache.max.bytes",
          "cache.max.bytes.buffering",
          "max.task.idle.ms",
          "rocksdb.config.setter",
          "topology.optimization",
          "processor.wrapper.class",
          "default.client.supplier",
          "default.key.serde",
          "default.value.serde",
          "default.timestamp.extractor",
          "deserialization.exception.handler",
          "default.deserialization.exception.handler",
          "production.exception.handler",
          "default.production.exception.handler",
          "processing.exception.handler",
          "processing.exception.handler.global.enabled",
          "errors.dead.letter.queue.topic.name",
          "topic.cleanup.policy",
          "topic.retention.ms",
          "topic.retention.bytes",
          "topic.max.message.bytes");

  private FixedSettings() {}

  /** Throws when there are any, with all of them. */
  static void requireNone(Collection<String> names) throws IOException {
    List<String> fixed = names.stream().filter(FixedSettings::isFixed).sorted().toList();
    if (!fixed.isEmpty()) {
      throw new IOException(
          String.join(", ", fixed)
              + ": cannot be set there, as counting each interval once rests on it, or as a setting"
              + " of the fleet decides it (--help); remove it");
    }
  }

  private static boolean isFixed(String name) {
    String plain = name;
    for (String prefix : PREFIXES) {
      if (name.startsWith(prefix)) {
        plain = name.substring(prefix.length());
        break;
      }
    }
    return name.startsWith("__") // Switches for Kafka's own tests.
        || OF_CLIENTS.contains(plain)
        || OF_PRODUCERS.contains(plain)
        || OF_CONSUMERS.contains(plain)
        || OF_STREAMS.contains(name);
  }
}

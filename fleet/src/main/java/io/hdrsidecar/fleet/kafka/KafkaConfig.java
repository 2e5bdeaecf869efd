package io.hdrsidecar.fleet.kafka;

import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Where the brokers are, and what must be there. */
public record KafkaConfig(
    @Setting(
            key = "kafka.bootstrap-servers",
            byDefault = "127.0.0.1:9092",
            form = "host:port, several separated by commas",
            help = "Brokers that are asked first for all others.")
        String bootstrapServers,
    @Setting(
            key = "kafka.properties",
            form = "properties file; empty for none",
            help =
                "Further settings of Kafka's clients, such as TLS and SASL, by Kafka's own names;"
                    + " what the fleet rests on is refused.")
        @Nullable Path properties,
    @Setting(
            key = "kafka.topic-prefix",
            byDefault = "hdr",
            form = "1 to 200 letters, digits, dots, underscores or dashes",
            help = "Prefix of the names of topics and groups; another one is another fleet.",
            parser = Prefix.class)
        String topicPrefix,
    @Setting(
            key = "kafka.partitions",
            byDefault = "16",
            range = "1 to 1024",
            help =
                "How many partitions both topics have. It can never change: what was counted would"
                    + " be counted again.")
        int partitions,
    @Setting(
            key = "kafka.create-topics",
            byDefault = "false",
            help = "Make the topics at start where they are missing.")
        boolean createTopics,
    @Setting(
            key = "kafka.replicas",
            byDefault = "3",
            range = "1 to 16",
            help = "On how many brokers each partition lies, where topics are made.")
        int replicas) {

  /**
   * On how many brokers a record of a topic that is made here must be before Kafka acknowledges it:
   * two, so that one may be lost with all it has. Where there is only one, on that.
   */
  public int minInSyncReplicas() {
    return Math.min(2, replicas);
  }

  /** The names of the topics. */
  public TopicNames topics() {
    return new TopicNames(topicPrefix);
  }

  /**
   * What Kafka's clients are told: the file, and the brokers.
   *
   * @throws IOException when the file cannot be read, or has what cannot be changed
   */
  public Map<String, Object> clientProperties() throws IOException {
    Map<String, Object> all = new HashMap<>();
    if (properties != null) {
      Properties read = new Properties();
      try (Reader in = Files.newBufferedReader(properties)) {
        read.load(in);
      } catch (IllegalArgumentException e) {
        throw new IOException("not a properties file: " + e.getMessage(), e);
      }
      FixedSettings.requireNone(read.stringPropertyNames());
      read.stringPropertyNames().forEach(name -> all.put(name, read.getProperty(name)));
    }
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }

  /** What is wrong with the file; looked at before anybody is asked. */
  public List<String> problems() {
    try {
      clientProperties();
      return List.of();
    } catch (IOException e) {
      return List.of("kafka.properties: " + CauseText.of(e));
    }
  }

  /** As names of topics may begin. */
  static final class Prefix implements SettingParser {
    @Override
    public String parse(String text, long heapBytes) {
      return new TopicNames(text.strip()).prefix();
    }
  }
}

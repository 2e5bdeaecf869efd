package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.fleet.route.PeerAddress;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the consumers of a node may hold, by the settings that they get. */
class FetchMemoryTest {
  private static final int TOPICS = 2;
  private static final int KAFKAS_DEFAULT = 1 << 20;

  private static NodeConfig config(Map<String, String> flags) throws Exception {
    return NodeSettings.load(flags, Map.of(), null).node();
  }

  private static long bytes(Map<String, Object> consumer, String setting) {
    return Long.parseLong(String.valueOf(consumer.getOrDefault(setting, KAFKAS_DEFAULT)));
  }

  /** An answer that is being given away and the next one, of each partition of each topic. */
  @ParameterizedTest(name = "heap={0} MiB partitions={1}")
  @CsvSource({"64,4", "256,16", "256,64", "1024,16", "8192,256"})
  void answersOfAllPartitions_fitIntoTheirShare(long heapMib, int partitions) throws Exception {
    HeapBudget heap = HeapBudget.of(heapMib << 20);
    FetchMemory fetched = FetchMemory.of(heap);
    NodeConfig config = config(Map.of("--kafka-partitions", "" + partitions));
    try (RocksMemory memory = new RocksMemory(config.storeBytes(), partitions)) {
      Properties all =
          StreamsProperties.of(config, memory, fetched, new PeerAddress("localhost", 1));
      StreamsConfig streams = new StreamsConfig(all);
      Map<String, Object> main = streams.getMainConsumerConfigs("group", "client", 0);
      long merged = bytes(main, "max.partition.fetch.bytes") * TOPICS;
      long restored =
          bytes(streams.getRestoreConsumerConfigs("client"), "max.partition.fetch.bytes")
              * DrivenPartition.STORES.size();
      assertThat(2L * partitions * (merged + restored)).isLessThanOrEqualTo(fetched.bytes());
      assertThat(fetched.bytes()).isLessThanOrEqualTo((heapMib << 20) / 10);
      assertThat(bytes(main, "fetch.min.bytes"))
          .as("a broker that can never send so much waits each time")
          .isLessThanOrEqualTo(bytes(main, "max.partition.fetch.bytes"));
    }
  }

  @Test
  void aHeapOfSomeGigabytes_readsAsKafkaDoesByDefault() throws Exception {
    FetchMemory fetched = FetchMemory.of(HeapBudget.of(8L << 30));
    assertThat(fetched.settings(16).values()).containsOnly(KAFKAS_DEFAULT);
  }

  @Test
  void file_thatSaysOtherwise_isRefused(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("k.properties"), "main.consumer.max.partition.fetch.bytes=9\n");
    NodeConfig config = config(Map.of("--kafka-properties", file.toString()));
    assertThatThrownBy(() -> config.kafka().clientProperties())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("main.consumer.max.partition.fetch.bytes: cannot be set there");
  }
}

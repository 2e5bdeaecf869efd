package io.hdrsidecar.fleet.kafka;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A real KRaft cluster of one broker in this JVM. */
public final class TestBrokers implements AutoCloseable {
  private final KafkaClusterTestKit kit;

  private TestBrokers(KafkaClusterTestKit kit) {
    this.kit = kit;
  }

  /** Starts it; some seconds. */
  public static TestBrokers start() throws Exception {
    KafkaLogs.quieten();
    TestKitNodes nodes =
        new TestKitNodes.Builder()
            .setCombined(true)
            .setNumBrokerNodes(1)
            .setNumControllerNodes(1)
            .build();
    KafkaClusterTestKit.Builder builder = new KafkaClusterTestKit.Builder(nodes);
    Map.of(
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "transaction.state.log.num.partitions", "1",
            "transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000",
            "group.initial.rebalance.delay.ms", "0",
            "auto.create.topics.enable", "false")
        .forEach(builder::setConfigProp);
    KafkaClusterTestKit kit = builder.build();
    kit.format();
    kit.startup();
    kit.waitForReadyBrokers();
    return new TestBrokers(kit);
  }

  /** Host and port. */
  public String address() {
    return kit.bootstrapServers();
  }

  /** Asks it. */
  public Admin admin() {
    return kit.admin();
  }

  @Override
  public void close() {
    try {
      kit.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}

package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.support.FleetTruth;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.support.RememberedLoad;
import io.hdrsidecar.sidecar.StartFailedException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that asks who it is, and what he may. */
class GatewayAclIT {
  private static final int PARTITIONS = 4;

  @TempDir private Path folder = Path.of("");

  private Path file() throws Exception {
    Properties properties = new Properties();
    properties.putAll(KafkaBroker.ordinaryUser());
    Path file = folder.resolve("kafka.properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    return file;
  }

  /** Writing is forbidden for a while: nothing is acknowledged meanwhile, and nothing is lost. */
  @Test
  void acls_areNamedAtTheStart_andWaitedForLater() throws Exception {
    String properties = "--kafka-properties=" + file();
    try (KafkaBroker broker = KafkaBroker.withUsers()) {
      broker.createTopics("hdr", PARTITIONS);
      broker.allow(AclOperation.DESCRIBE, true);
      broker.allow(AclOperation.DESCRIBE_CONFIGS, true);
      RunningGateway.eventually(
          () -> !problem(broker, properties).contains("Topic authorization failed"));
      assertThat(problem(broker, properties))
          .contains("topic hdr.", " needs the operation WRITE: allow it by an ACL");

      broker.allow(AclOperation.WRITE, true);
      RunningGateway.eventually(() -> problem(broker, properties).isEmpty());
      try (RunningGateway gateway = new RunningGateway(broker, "hdr", PARTITIONS, properties);
          RememberedLoad load = new RememberedLoad(gateway.port(), 7)) {
        load.record(10_000);
        RunningGateway.eventually(() -> load.health().acknowledgedValues() == 10_000);

        broker.allow(AclOperation.WRITE, false);
        RunningGateway.eventually(
            () -> {
              load.record(100);
              return gateway.metric("hdr_sidecar_gateway_produce_failures_total") >= 1;
            });
        long acknowledged = load.health().acknowledgedValues();
        load.record(10_000);
        RunningGateway.eventually(
            () -> gateway.metric("hdr_sidecar_gateway_open_failures_total") >= 1);
        assertThat(load.health().acknowledgedValues()).isEqualTo(acknowledged);

        broker.allow(AclOperation.WRITE, true);
        load.delivered();
        load.assertExact(FleetTruth.read(broker, "hdr.intervals", PARTITIONS));
      }
    }
  }

  /** What keeps a gateway from starting; empty if nothing does. */
  private static String problem(KafkaBroker broker, String properties) throws Exception {
    try {
      new RunningGateway(broker, "hdr", PARTITIONS, properties).close();
      return "";
    } catch (StartFailedException e) {
      String message = String.valueOf(e.getMessage());
      assertThat(e.isConfiguration() || message.contains("authorization")).isTrue();
      return message;
    }
  }
}

package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.NodeAnswers.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.TopicNames;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rule about series of both of two nodes: one of them judges all, and when it is killed the other
 * does.
 */
@Timeout(600)
class FleetSlaIT {
  private static final int PARTITIONS = 4;
  private static final int SERIES = 20;

  @TempDir Path folder = Path.of("");

  @Test
  void rule_aboutSeriesOfTwoNodes_isJudgedOverAllByOneOfThem() throws Exception {
    Path slas =
        Files.writeString(
            folder.resolve("sla.yaml"),
            "slas: [{name: all, selector: latency, limits: {100%: 1h}}]");
    List<String> flags =
        List.of(
            "--kafka-partitions=" + PARTITIONS,
            "--node-commit-interval=500ms",
            "--windows=1m",
            "--sla-file=" + slas);
    try (KafkaBroker brokers = KafkaBroker.direct()) {
      KafkaConfig config = new KafkaConfig(brokers.bootstrap(), null, "hdr", PARTITIONS, true, 1);
      new TopicCheck(config).require(config.clientProperties(), AclOperation.READ);
      try (FeedingSidecars sidecars =
              new FeedingSidecars(
                  brokers.bootstrap(), new TopicNames("hdr"), PARTITIONS, 5, SERIES, 1);
          NodeProcess a = NodeProcess.start(brokers.bootstrap(), folder.resolve("a"), flags);
          NodeProcess b = NodeProcess.start(brokers.bootstrap(), folder.resolve("b"), flags)) {
        await(
            "each has partitions",
            () -> figure(a.http(), PARTS) == 2 && figure(b.http(), PARTS) == 2);
        await("one judges", () -> judges(a.http()) != judges(b.http()));
        NodeProcess judge = judges(a.http()) ? a : b;
        NodeProcess other = judge == a ? b : a;
        sidecars.sendToEach();
        await("all match", () -> figure(judge.http(), MATCHED) == SERIES);
        double before = figure(judge.http(), EVENTS);
        long values = sidecars.sent().values();
        sidecars.send(500);
        double expected = before + sidecars.sent().values() - values;
        await("all are counted", () -> figure(judge.http(), EVENTS) == expected);
        assertThat(judges(other.http())).isFalse();

        judge.kill();

        await("the other judges", () -> figure(other.http(), MATCHED) == SERIES);
        double taken = figure(other.http(), EVENTS);
        long sent = sidecars.sent().values();
        sidecars.send(500);
        double counted = taken + sidecars.sent().values() - sent;
        await("it counts on", () -> figure(other.http(), EVENTS) == counted);
        assertThat(taken).as("it begins at 0").isZero();
      }
    }
  }

  private static final Pattern PARTS = Pattern.compile("hdr_sidecar_fleet_partitions ([0-9.]+)");
  private static final Pattern MATCHED = Pattern.compile("hdr_sla_matched_series\\S+ ([0-9.]+)");
  private static final Pattern EVENTS = Pattern.compile("hdr_sla_events_total\\S+ (\\S+)");

  private static boolean judges(URI node) throws IOException, InterruptedException {
    return NodeAnswers.text(node, "/metrics").contains("hdr_sla_judged{");
  }

  /** Of its page; -1 if it is not there. */
  private static double figure(URI node, Pattern family) throws IOException, InterruptedException {
    Matcher found = family.matcher(NodeAnswers.text(node, "/metrics"));
    return found.find() ? Double.parseDouble(found.group(1)) : -1;
  }
}

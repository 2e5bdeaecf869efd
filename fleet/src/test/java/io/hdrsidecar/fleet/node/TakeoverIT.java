package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.NodeAnswers.await;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.TopicNames;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of two nodes is killed, and the other answers for all: it prints how long that takes. Some
 * series only show that nothing is missing then. {@code -Dhdr.fleet.takeover.series=20000}
 * measures, with a standby and without; each time also with a commit that the killed node has not
 * ended, which brokers would wait ten minutes for.
 */
@Timeout(600)
class TakeoverIT {
  private static final int PARTITIONS = 4;
  private static final int SERIES = Integer.getInteger("hdr.fleet.takeover.series", 100);
  private static final int SMALL = 1_000;

  /** Each must be able to show all series. */
  private static final String HEAP = SERIES < SMALL ? "256m" : "4g";

  /** Totals, steps, numbers, descriptions. */
  private static final int STORES = 4;

  @TempDir Path folder = Path.of("");

  static List<Arguments> kills() {
    List<Integer> standbys = SERIES < SMALL ? List.of(1) : List.of(1, 0);
    return standbys.stream()
        .flatMap(each -> Stream.of(Arguments.of(each, false), Arguments.of(each, true)))
        .toList();
  }

  /**
   * A kill cannot be aimed at a commit, so one of the process' name is left open beside it: as of a
   * second thread, which this node does not have.
   */
  @ParameterizedTest
  @MethodSource("kills")
  void node_killed_theOtherAnswersForAll(int standbys, boolean isInCommit) throws Exception {
    List<String> flags =
        List.of(
            "--kafka-partitions=" + PARTITIONS,
            "--node-standby-replicas=" + standbys,
            "--series-max=200000");
    try (KafkaBroker brokers = KafkaBroker.direct()) {
      KafkaConfig config = new KafkaConfig(brokers.bootstrap(), null, "hdr", PARTITIONS, true, 1);
      new TopicCheck(config).require(config.clientProperties(), AclOperation.READ);
      try (FeedingSidecars sidecars =
              new FeedingSidecars(
                  brokers.bootstrap(), new TopicNames("hdr"), PARTITIONS, 10, SERIES, 1);
          NodeProcess lasting =
              NodeProcess.start(HEAP, brokers.bootstrap(), folder.resolve("lasting"), flags);
          NodeProcess killed =
              NodeProcess.start(HEAP, brokers.bootstrap(), folder.resolve("killed"), flags)) {
        URI other = lasting.http();
        sidecars.sendToEach();
        await(
            "both have partitions",
            () ->
                partitions(other) == PARTITIONS / 2 && partitions(killed.http()) == PARTITIONS / 2);
        sidecars.sendToEach();
        long all = sidecars.sent().values();
        await("all is shown", () -> values(other) + values(killed.http()) == all);
        if (standbys > 0) {
          await("each has a standby on the other", () -> follows(other) && follows(killed.http()));
        }

        if (isInCommit) {
          OpenTransaction.begin(
                  brokers.properties(),
                  "hdr-node-" + OpenTransaction.process(folder.resolve("killed/hdr-node")) + "-2",
                  "hdr-node-totals-changelog",
                  PARTITIONS)
              .abandon();
        }
        long begun = System.nanoTime();
        killed.kill();
        await("the other has all", () -> values(other) == all);
        long answered = System.nanoTime();
        sidecars.sendToEach();
        await("it counts on", () -> values(other) == sidecars.sent().values());
        System.out.printf(
            "takeover: series=%d standbys=%d in_commit=%s answers_after_s=%.1f counts_on_after_s=%.1f%n",
            SERIES,
            standbys,
            isInCommit,
            (answered - begun) / 1e9,
            (System.nanoTime() - begun) / 1e9);
      }
    }
  }

  private static long values(URI node) throws Exception {
    return NodeAnswers.text(node, "/metrics")
        .lines()
        .filter(line -> line.startsWith("latency_seconds_count{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static int partitions(URI node) throws Exception {
    return figure(node, "partitions");
  }

  /** Whether it follows all stores of the other's partitions, up to their ends. */
  private static boolean follows(URI node) throws Exception {
    return figure(node, "standby_stores") == STORES * PARTITIONS / 2
        && figure(node, "standby_lag_records") == 0;
  }

  private static int figure(URI node, String name) throws Exception {
    Matcher found =
        Pattern.compile("(?m)^hdr_sidecar_fleet_" + name + " ([0-9.E]+)$")
            .matcher(NodeAnswers.text(node, "/metrics"));
    return found.find() ? (int) Double.parseDouble(found.group(1)) : -1;
  }
}

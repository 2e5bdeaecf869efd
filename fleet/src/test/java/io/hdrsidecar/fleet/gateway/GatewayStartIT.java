package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.FleetMain;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.sidecar.ServingCommand;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.testing.JavaProgram;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What a first-time user gets wrong, each with a line that says what to do. */
class GatewayStartIT {
  private static KafkaBroker broker;

  @TempDir private Path folder = Path.of("");

  @BeforeAll
  static void start() throws Exception {
    broker = new KafkaBroker();
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  private record Outcome(int exitCode, String errors) {}

  private static Outcome run(String bootstrap, String... arguments) {
    StringWriter errors = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--kafka-bootstrap-servers", bootstrap));
    if (!all.contains("--kafka-partitions")) {
      all.addAll(List.of("--kafka-partitions", "4"));
    }
    all.addAll(List.of("--ingest-port", "0", "--http-port", "0"));
    int code =
        new CommandLine(ServingCommand.spec(new GatewayCommand(Map.of(), new Termination())))
            .setErr(new PrintWriter(errors, true))
            .execute(all.toArray(String[]::new));
    return new Outcome(code, errors.toString());
  }

  private static void assertRefused(Outcome outcome, String... said) {
    assertThat(outcome.errors()).contains(said);
    assertThat(outcome.errors().strip().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
  }

  @Test
  void topicsMissing_saysWhichAndHowToMakeThem() {
    assertRefused(
        run(broker.bootstrap(), "--kafka-topic-prefix", "nowhere"),
        "topic nowhere.intervals is not there; make it with 4 partitions");
  }

  @Test
  void otherPartitions_saysWhatIsExpectedAndWhatIsThere() throws Exception {
    broker.createTopics("eight", 8);

    assertRefused(
        run(broker.bootstrap(), "--kafka-topic-prefix", "eight"),
        "topic eight.intervals must have 4 partitions (kafka.partitions): it has 8");
  }

  @Test
  void intervalsCompacted_isRefused() throws Exception {
    broker.createTopic("gone.intervals", 4, Map.of("cleanup.policy", "compact"));
    broker.createTopic("gone.series", 4, Map.of("cleanup.policy", "compact"));

    assertRefused(
        run(broker.bootstrap(), "--kafka-topic-prefix", "gone"),
        "topic gone.intervals must have cleanup.policy=delete: it has compact");
  }

  @Test
  void recordsTooLongForTheTopic_saysWhatToChange() throws Exception {
    broker.createTopics("short", 4);

    assertRefused(
        run(broker.bootstrap(), "--kafka-topic-prefix", "short", "--ingest-max-body", "2MiB"),
        "topic short.intervals takes at most 1048588 bytes (max.message.bytes)",
        "lower ingest.max-body at all gateways");
  }

  @Test
  void bootstrapMistyped_saysThatNobodyIsThere() {
    assertRefused(run("kafka.nowhere.invalid:9092"), "kafka.bootstrap-servers", "bootstrap");
    assertRefused(run("127.0.0.1"), "kafka.bootstrap-servers", "127.0.0.1");
  }

  /** Whichever comes first; the name of the first is one that nobody knows, the other is silent. */
  @ParameterizedTest
  @ValueSource(strings = {"kafka.nowhere.invalid:9092,%s", "127.0.0.1:1,%s", "%s,127.0.0.1:1"})
  void bootstrapOfTwo_oneIsDead_asksTheOther(String bootstrap) {
    assertRefused(
        run(bootstrap.formatted(broker.bootstrap()), "--kafka-topic-prefix", "nowhere"),
        "topic nowhere.intervals is not there; make it with 4 partitions");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "node"})
  void brokersAway_saysSoMeanwhileAndGivesUp(String command) throws Exception {
    String brokers = "127.0.0.1:1,127.0.0.1:2";
    Process process =
        JavaProgram.builder(
                List.of("-Xmx128m"),
                FleetMain.class,
                List.of(command, "--http-port=0", "--kafka-bootstrap-servers=" + brokers))
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> said = lines.lines().toList();
      assertThat(process.waitFor()).as("%s", said).isEqualTo(CommandLine.ExitCode.SOFTWARE);
      assertThat(said.stream().filter(line -> line.contains("event=brokers_silent")))
          .as("after a second, and again at most ten later, for half a minute")
          .hasSizeBetween(2, 3)
          .allMatch(line -> line.contains(" brokers=" + brokers + " waited="));
      assertThat(said)
          .last()
          .asString()
          .startsWith("brokers at " + brokers + " cannot be asked: no answer within 30 s.")
          .contains("Is that their address");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void propertiesMistyped_saysWhichFile() throws Exception {
    Path file = folder.resolve("kafka.properties");

    assertRefused(run(broker.bootstrap(), "--kafka-properties", file.toString()), file.toString());
    Files.writeString(file, "security.protocol=SASL_TLS\n");
    assertRefused(
        run(broker.bootstrap(), "--kafka-properties", file.toString()),
        "kafka.properties",
        "SASL_TLS");
  }

  /** Whatever the name is by which Kafka would find it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "acks",
        "producer.enable.idempotence",
        "main.consumer.isolation.level",
        "restore.consumer.bootstrap.servers",
        "consumer.group.id",
        "processing.guarantee",
        "processing.exception.handler",
        "topic.cleanup.policy",
        "__assignment.listener__"
      })
  void propertiesOnWhichCountsRest_areRefused(String name) throws Exception {
    Path file = Files.writeString(folder.resolve("kafka.properties"), name + "=x\nclient.rack=a\n");

    assertRefused(
        run("127.0.0.1:1", "--check-config", "--kafka-properties", file.toString()),
        "kafka.properties: " + name + ": cannot be set there");
  }

  @Test
  void createTopics_makesThem() throws Exception {
    assertThat(
            run(
                broker.bootstrap(),
                "--kafka-topic-prefix",
                "made",
                "--kafka-create-topics",
                "--kafka-replicas",
                "1",
                "--ingest-host",
                "256.256.256.256"))
        .extracting(Outcome::errors)
        .asString()
        .contains("ingest"); // As far as listening, which this address does not allow.
    assertRefused(
        run(broker.bootstrap(), "--kafka-topic-prefix", "made", "--kafka-partitions", "5"),
        "must have 5 partitions");
  }
}

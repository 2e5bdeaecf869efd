package io.hdrsidecar.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.support.FleetProgram;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.support.RememberedLoad;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.sidecar.inject.CertificatesCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.tools.StreamsResetter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A broker that shows a certificate and asks for a password, as docs/fleet.md has it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SecuredBrokerIT {
  private static final String USER = "gateway";
  private static final String PASSWORD = "secret";
  private static final String REFUSED = "invalid credentials with SASL mechanism SCRAM-SHA-512";

  @TempDir private static Path folder = Path.of("");
  private static Path authority = Path.of("");
  private static KafkaBroker broker;

  @BeforeAll
  static void start() throws Exception {
    authority = certificates("ours").resolve("ca.crt");
    Path ours = authority.resolveSibling("keys.pem");
    Files.writeString(
        ours,
        Files.readString(authority.resolveSibling("tls.key"))
            + Files.readString(authority.resolveSibling("tls.crt")));
    broker = KafkaBroker.withTls(ours);
    broker.createTopics("hdr", 4);
    broker.setPassword(USER, PASSWORD);
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  private static Path certificates(String name) {
    Path made = folder.resolve(name);
    int code =
        new CommandLine(new CertificatesCommand())
            .setOut(new PrintWriter(new StringWriter()))
            .execute("--dns=localhost", "--out=" + made);
    assertThat(code).isZero();
    return made;
  }

  /** As docs/fleet.md has it, with another user, password and file. */
  private static Path properties(String user, String password, Path authority) throws Exception {
    String shown =
        Files.readAllLines(Path.of("../docs/fleet.md")).stream()
            .dropWhile(line -> !line.equals("    security.protocol=SASL_SSL"))
            .takeWhile(line -> line.startsWith("    "))
            .map(line -> line.substring(4) + "\n")
            .reduce("", String::concat);
    assertThat(shown)
        .contains("username=\"gateway\" password=\"secret\"", "/etc/kafka/ca.pem")
        .contains("SCRAM-SHA-512");
    return Files.writeString(
        Files.createTempFile(folder, "kafka", ".properties"),
        shown
            .replace("\"gateway\"", "\"" + user + "\"")
            .replace("\"secret\"", "\"" + password + "\"")
            .replace("/etc/kafka/ca.pem", authority.toString()));
  }

  private static List<String> settings(Path properties, String... more) {
    return Stream.concat(
            Stream.of(
                "--kafka-bootstrap-servers=" + broker.secureBootstrap(),
                "--kafka-properties=" + properties,
                "--kafka-partitions=4"),
            Stream.of(more))
        .toList();
  }

  private static void delete(Path tree) throws Exception {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<String> ofNode(Path properties, String prefix) {
    return settings(
        properties,
        "--kafka-topic-prefix=" + prefix,
        "--kafka-replicas=1",
        "--node-commit-interval=200ms",
        "--node-state-directory=" + folder.resolve(prefix + "-state"));
  }

  /** All that a node has counted of the load. */
  private static long counted(FleetProgram node) throws Exception {
    return node.get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("checkout_seconds_count{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static void eventually(ThrowingRunnable assertion) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  /** A password that is changed: nothing is acknowledged until it is right again. */
  @Test
  void password_changedMeanwhile_isNamed_andWaitedFor() throws Exception {
    Path properties = properties(USER, PASSWORD, authority);
    try (FleetProgram gateway =
            new FleetProgram("gateway", settings(properties, "--ingest-port=0"));
        RememberedLoad load = new RememberedLoad(gateway.ingestPort(), 11)) {
      try (FleetProgram node = new FleetProgram("node", ofNode(properties, "hdr"))) {
        load.record(10_000);
        eventually(() -> assertThat(counted(node)).isEqualTo(10_000));

        broker.setPassword(USER, "another");
        broker.cut();
        broker.lead();
        load.record(10_000);

        eventually(() -> assertThat(gateway.get("/-/ready").statusCode()).isEqualTo(503));
        assertThat(gateway.get("/-/healthy").statusCode()).isEqualTo(200);
        eventually(() -> assertThat(gateway.output()).contains(REFUSED));
        // It ends with 1 when it was about to commit; a platform starts it again.
        eventually(() -> assertThat(node.output()).contains(REFUSED));
      }
      broker.setPassword(USER, PASSWORD);
      load.delivered();
      try (FleetProgram node = new FleetProgram("node", ofNode(properties, "hdr"))) {
        eventually(() -> assertThat(counted(node)).isEqualTo(20_000));
      }
      assertThat(gateway.get("/-/ready").statusCode()).isEqualTo(200);
    }
  }

  /** As docs/fleet-operations.md says: all that the topic has is merged again, and counts once. */
  @Test
  void reset_asDocumented_countsWhatTheTopicHas() throws Exception {
    broker.createTopics("again", 4);
    Path properties = properties(USER, PASSWORD, authority);
    List<String> ofNode = ofNode(properties, "again");
    try (FleetProgram gateway =
            new FleetProgram(
                "gateway", settings(properties, "--kafka-topic-prefix=again", "--ingest-port=0"));
        RememberedLoad load = new RememberedLoad(gateway.ingestPort(), 12);
        FleetProgram node = new FleetProgram("node", ofNode)) {
      load.record(10_000);
      load.delivered();
      eventually(() -> assertThat(counted(node)).isEqualTo(10_000));
    }

    String command = Files.readString(Path.of("../docs/fleet-operations.md"));
    String documented =
        "kafka-streams-application-reset --bootstrap-server kafka:9092 --application-id hdr-node"
            + " --input-topics hdr.intervals,hdr.series --command-config kafka.properties";
    assertThat(command.replaceAll("\\s*\\\\\\s+", " ")).contains(documented);
    String[] arguments =
        documented
            .substring(documented.indexOf("--"))
            .replace("kafka:9092", broker.secureBootstrap())
            .replace("hdr", "again")
            .replace("kafka.properties", properties.toString())
            .split(" ");
    // It refuses for as long as brokers take a node for alive that was killed.
    eventually(() -> assertThat(new StreamsResetter().execute(arguments)).isZero());
    delete(folder.resolve("again-state"));
    try (FleetProgram node = new FleetProgram("node", ofNode)) {
      eventually(() -> assertThat(counted(node)).isEqualTo(10_000));
    }
  }

  private static String refused(String command, List<String> settings) {
    StringWriter errors = new StringWriter();
    int code =
        FleetMain.commandLine(Map.of(), new Termination())
            .setErr(new PrintWriter(errors, true))
            .execute(
                Stream.concat(Stream.of(command, "--http-port=0"), settings.stream())
                    .toArray(String[]::new));
    assertThat(errors.toString().strip().lines()).as(command).hasSize(1);
    assertThat(code).as(errors.toString()).isEqualTo(CommandLine.ExitCode.USAGE);
    return errors.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "node"})
  void start_withAnotherAuthority_namesTheCertificate(String command) throws Exception {
    Path other = certificates("other").resolve("ca.crt");

    assertThat(refused(command, settings(properties(USER, PASSWORD, other))))
        .contains(broker.secureBootstrap(), "SSL handshake failed", "PKIX path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "node"})
  void start_withAnotherPassword_namesIt(String command) throws Exception {
    Path file = properties(USER, "mistyped", authority);
    assertThat(refused(command, settings(file)))
        .startsWith("brokers at " + broker.secureBootstrap() + " must know user and password of")
        .contains("kafka.properties (" + file + ")", REFUSED, "Mend sasl.jaas.config")
        .doesNotContain("mistyped");
  }
}

package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * A broker, a gateway and nodes, each a process of its own with the settings it has by default, in
 * a folder that goes with them.
 */
final class LoadProcesses implements AutoCloseable {
  private static final int START_SECONDS = 120;

  /** Enough for every run; what is by default is what most need. */
  private static final int MOST_SERIES = 1_000_000;

  /** A node, and where it answers. */
  record Node(String name, FleetProcess process, URI http) {}

  private final FleetPrograms programs;
  private final LoadShape shape;
  private final Path folder;
  private final FleetProcesses processes;
  private final Thread end;
  private final FleetAnswers answers = new FleetAnswers();
  private final FreePorts ports = new FreePorts();
  private final FleetProcess broker;
  private final FleetProcess gateway;
  private final int ingestPort;
  private final List<Node> nodes = new ArrayList<>();
  private volatile boolean isKept;

  /**
   * Starts all, and waits until each node has its partitions.
   *
   * @param kafkaProperties what gateways and nodes tell their clients of Kafka, such as compression
   */
  LoadProcesses(FleetPrograms programs, LoadShape shape, List<String> kafkaProperties)
      throws FleetException, IOException, InterruptedException {
    this.programs = programs;
    this.shape = shape;
    this.folder = Files.createTempDirectory("hdr-fleet-load");
    this.processes = new FleetProcesses(folder);
    this.end = new Thread(this::end, "end");
    Runtime.getRuntime().addShutdownHook(end);
    int port = ports.next();
    broker =
        processes.start(
            "broker",
            programs.broker(BrokerFiles.write(folder, ports.next(), List.of(port), List.of(port))));
    broker.awaitLine(FleetPrograms.BROKER_STARTED, START_SECONDS);
    List<String> kafka =
        List.of(
            "--kafka-bootstrap-servers=127.0.0.1:" + port,
            "--kafka-partitions=" + shape.partitions(),
            "--kafka-replicas=1",
            "--kafka-properties=" + Files.write(folder.resolve("clients"), kafkaProperties),
            "--http-port=0");
    gateway =
        processes.start(
            "gateway",
            programs.gateway(
                with(
                    kafka,
                    "--kafka-create-topics",
                    "--ingest-port=0",
                    "--ingest-max-connections=" + shape.sidecars())));
    Matcher ready = gateway.awaitLine(FleetPrograms.INGEST_AND_HTTP, START_SECONDS);
    ingestPort = Integer.parseInt(ready.group("ingest"));
    for (int i = 1; i <= shape.nodes(); i++) {
      startNode("node-" + i, kafka);
    }
    ProcessWait.until("nodes to have all partitions", START_SECONDS, this::havePartitions);
  }

  private void startNode(String name, List<String> kafka) throws FleetException {
    FleetProcess node =
        processes.start(
            name,
            programs.node(
                with(
                    kafka,
                    "--node-state-directory=" + stateOf(name),
                    "--series-max=" + MOST_SERIES,
                    "--query-max-series=" + MOST_SERIES)));
    URI http = URI.create(node.awaitLine(FleetPrograms.HTTP, START_SECONDS).group("http"));
    nodes.add(new Node(name, node, http));
  }

  private static List<String> with(List<String> settings, String... more) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(List.of(more));
    return all;
  }

  private boolean havePartitions() throws InterruptedException {
    long all = 0;
    for (Node node : nodes) {
      long partitions = metric(node, "hdr_sidecar_fleet_partitions");
      if (partitions == 0 || answers.text(node.http(), "/-/ready").isEmpty()) {
        return false;
      }
      all += partitions;
    }
    return all == shape.partitions();
  }

  /** A metric without labels; 0 if there is none. */
  long metric(Node node, String name) throws InterruptedException {
    return answers
        .text(node.http(), "/metrics")
        .flatMap(page -> page.lines().filter(line -> line.startsWith(name + " ")).findFirst())
        .map(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .orElse(0L);
  }

  /** Where sidecars connect. */
  int ingestPort() {
    return ingestPort;
  }

  FleetProcess broker() {
    return broker;
  }

  FleetProcess gateway() {
    return gateway;
  }

  List<Node> nodes() {
    return nodes;
  }

  FleetAnswers answers() {
    return answers;
  }

  private Path stateOf(String node) {
    return folder.resolve("state-of-" + node);
  }

  /** Bytes of the stores of a node on its disk. */
  long diskBytes(Node node) throws IOException {
    return bytesUnder(stateOf(node.name()), "");
  }

  /** Bytes of what lies on the topics whose names begin so. */
  long topicBytes(String prefix) throws IOException {
    long all = 0;
    try (Stream<Path> topics = Files.list(folder.resolve("kafka"))) {
      for (Path topic : topics.filter(path -> nameOf(path).startsWith(prefix)).toList()) {
        all += bytesUnder(topic, ".log");
      }
    }
    return all;
  }

  private static String nameOf(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static long bytesUnder(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> nameOf(file).endsWith(ending) && Files.isRegularFile(file))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  /** Leaves the folder, with all logs and stores, for somebody to look into. */
  Path keep() {
    isKept = true;
    return folder;
  }

  private void end() {
    processes.close();
    if (isKept) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills all, and removes the folder. */
  @Override
  public void close() {
    end();
    Runtime.getRuntime().removeShutdownHook(end);
  }
}

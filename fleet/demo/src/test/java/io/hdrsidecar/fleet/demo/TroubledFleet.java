package io.hdrsidecar.fleet.demo;

import io.hdrsidecar.fleet.support.SwitchedWay;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A broker, two gateways, up to three nodes, and three sidecars with a client each, all processes
 * but the clients; between them ways that can be cut.
 */
final class TroubledFleet implements AutoCloseable {
  static final int PATIENCE_SECONDS = 180;
  private static final int PARTITIONS = 4;
  private static final int GATEWAYS = 2;
  private static final int NODES = 3;
  private static final int NODES_AT_FIRST = 2;
  private static final int LANES = 3;
  private static final int RATE = 1_000;

  /** A program before the broker, and its way there. */
  record Member(Supervised program, SwitchedWay way, int brokerPort) {}

  /** A client, its sidecar, the port between them, and the way to a gateway. */
  record Lane(
      int deployment, int port, SwitchedWay way, Supervised sidecar, RecordingClient client) {}

  private final Path folder;
  private final FleetProcesses processes;
  private final FleetPrograms programs;
  private final FreePorts ports = new FreePorts();
  private final FleetAnswers answers = new FleetAnswers();
  private final Thread endOfTest;
  private final int direct = ports.next();
  private final Supervised broker;
  private final List<Member> gateways = new ArrayList<>();
  private final List<Integer> gatewayPorts = new ArrayList<>();
  private final List<Member> nodes = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final Map<String, RawTruth> late = new TreeMap<>();

  /** Starts all, and waits until each has begun to work. */
  TroubledFleet(long seed, Path folder) throws Exception {
    this.folder = folder;
    this.processes = new FleetProcesses(folder);
    this.endOfTest = new Thread(processes::close, "fleet-end");
    Runtime.getRuntime().addShutdownHook(endOfTest);
    Path checkout = Path.of("../..").toAbsolutePath().normalize();
    this.programs =
        new FleetPrograms(
            checkout.resolve("sidecar/target/hdr-sidecar.jar"),
            checkout.resolve("fleet/target/hdr-sidecar-fleet.jar"));
    for (int i = 0; i < GATEWAYS; i++) {
      gateways.add(gateway(i));
    }
    for (int i = 0; i < NODES; i++) {
      nodes.add(node(i));
    }
    this.broker = newBroker();
    broker.start();
    broker.awaitReady();
    for (Member gateway : gateways) {
      gateway.program().start();
      gateway.program().awaitReady(); // The first one makes the topics.
    }
    for (int i = 0; i < LANES; i++) {
      lanes.add(lane(i, seed));
    }
    for (Member node : nodes.subList(0, NODES_AT_FIRST)) {
      node.program().start();
    }
    for (Lane lane : lanes) {
      lane.sidecar().awaitReady();
      lane.client().resume();
    }
    for (Supervised node : running()) {
      node.awaitReady();
    }
  }

  private Supervised newBroker() throws IOException {
    List<Integer> listening = new ArrayList<>(List.of(direct));
    List<Integer> entered = new ArrayList<>(List.of(direct));
    Stream.concat(gateways.stream(), nodes.stream())
        .forEach(
            member -> {
              listening.add(member.brokerPort());
              entered.add(member.way().port());
            });
    return new Supervised(
        "broker",
        processes,
        programs.broker(BrokerFiles.write(folder, ports.next(), listening, entered)),
        FleetPrograms.BROKER_STARTED);
  }

  private Member gateway(int i) throws IOException {
    int brokerPort = ports.next();
    SwitchedWay way = new SwitchedWay();
    way.leadTo(brokerPort);
    int port = ports.next();
    gatewayPorts.add(port);
    Supervised program =
        new Supervised(
            "gateway-" + i,
            processes,
            programs.gateway(
                List.of(
                    "--kafka-bootstrap-servers=" + way.hostAndPort(),
                    "--kafka-partitions=" + PARTITIONS,
                    "--kafka-replicas=1",
                    "--kafka-create-topics",
                    "--ingest-port=" + port,
                    "--http-port=0")),
            FleetPrograms.INGEST_AND_HTTP);
    return new Member(program, way, brokerPort);
  }

  private Member node(int i) throws IOException {
    int brokerPort = ports.next();
    SwitchedWay way = new SwitchedWay();
    way.leadTo(brokerPort);
    String name = "node-" + i;
    Supervised program =
        new Supervised(
            name,
            processes,
            programs.node(
                List.of(
                    "--kafka-bootstrap-servers=" + way.hostAndPort(),
                    "--kafka-partitions=" + PARTITIONS,
                    "--kafka-replicas=1",
                    "--node-state-directory=" + stateOf(name),
                    "--node-commit-interval=500ms",
                    "--http-port=0")),
            FleetPrograms.HTTP);
    return new Member(program, way, brokerPort);
  }

  private Path stateOf(String node) {
    return folder.resolve("state-of-" + node);
  }

  private Lane lane(int i, long seed) throws Exception {
    SwitchedWay way = new SwitchedWay();
    way.leadTo(gatewayPorts.get(i % GATEWAYS));
    int port = ports.next();
    int deployment = DemoProcesses.deployment(i);
    Supervised sidecar =
        new Supervised(
            "sidecar-" + i,
            processes,
            programs.sidecar(
                List.of(
                    "--upstream-address=tcp://" + way.hostAndPort(),
                    "--upstream-interval=200ms",
                    "--upstream-resource-deployment=" + DemoProcesses.DEPLOYMENTS.get(deployment),
                    "--upstream-resource-pod=pod-" + i,
                    "--journal-directory=" + Files.createDirectory(folder.resolve("journal-" + i)),
                    "--journal-flush=50ms",
                    "--self-hiccups=false",
                    "--ingest-port=" + port,
                    "--http-port=0")),
            FleetPrograms.INGEST_AND_HTTP);
    sidecar.start();
    RecordingClient client =
        new RecordingClient(
            RecordingClient.config(port)
                .interval(Duration.ofMillis(100))
                .backoff(Duration.ofMillis(5), Duration.ofMillis(200))
                .build(),
            DemoProcesses.ROUTES.get(deployment),
            RATE,
            seed + i);
    return new Lane(deployment, port, way, sidecar, client);
  }

  Supervised broker() {
    return broker;
  }

  List<Member> gateways() {
    return gateways;
  }

  List<Integer> gatewayPorts() {
    return gatewayPorts;
  }

  List<Member> nodes() {
    return nodes;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** Nodes that are not told to end. */
  List<Supervised> running() {
    return nodes.stream().map(Member::program).filter(Supervised::isWanted).toList();
  }

  /** All programs. */
  List<Supervised> all() {
    List<Supervised> all = new ArrayList<>(List.of(broker));
    gateways.forEach(gateway -> all.add(gateway.program()));
    nodes.forEach(node -> all.add(node.program()));
    lanes.forEach(lane -> all.add(lane.sidecar()));
    return all;
  }

  /** What late clients have recorded, by series. */
  Map<String, RawTruth> late() {
    return late;
  }

  FleetAnswers answers() {
    return answers;
  }

  /** The topic of intervals, by a way that nothing parts. */
  TopicAgain topic() {
    return new TopicAgain("127.0.0.1:" + direct, "hdr.intervals", PARTITIONS);
  }

  /** Whether each node is ready and has partitions, and all together have each one. */
  boolean areSpread() throws Exception {
    long sum = 0;
    for (Supervised node : running()) {
      node.lookAfter();
      double partitions = metric(node.http(), "hdr_sidecar_fleet_partitions");
      if (partitions < 1 || answers.text(node.http(), "/-/ready").isEmpty()) {
        return false;
      }
      sum += (long) partitions;
    }
    return sum == PARTITIONS;
  }

  /** A metric by its name and labels as they stand on the page; 0 if it is not there. */
  double metric(URI program, String name) throws InterruptedException {
    return answers
        .text(program, "/metrics")
        .flatMap(page -> page.lines().filter(line -> line.startsWith(name + " ")).findFirst())
        .map(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .orElse(0.0);
  }

  /** Removes the stores of a node that was killed. */
  void wipe(Supervised node) throws IOException {
    try (Stream<Path> files = Files.walk(stateOf(node.name()))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** {@code kill -9} of all nodes, of which one finds its folder gone. */
  void killAllNodes() throws Exception {
    for (Supervised node : running()) {
      node.kill();
    }
    wipe(running().get(0));
    for (Supervised node : running()) {
      node.start();
    }
  }

  /** How often a program could not begin, as the broker was away. */
  int failedStarts() {
    return all().stream().mapToInt(Supervised::failedStarts).sum();
  }

  @Override
  public void close() throws IOException {
    lanes.forEach(lane -> lane.client().close());
    processes.close();
    Runtime.getRuntime().removeShutdownHook(endOfTest);
    for (Lane lane : lanes) {
      lane.way().close();
    }
    for (Member member : Stream.concat(gateways.stream(), nodes.stream()).toList()) {
      member.way().close();
    }
  }
}

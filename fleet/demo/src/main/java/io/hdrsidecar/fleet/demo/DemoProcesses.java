package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

/** Broker, gateway, nodes and sidecars of a demonstration, started in that order. */
final class DemoProcesses {
  /** Deployments, and what each of them serves. */
  static final List<String> DEPLOYMENTS = List.of("search", "shop");

  static final List<List<String>> ROUTES =
      List.of(List.of("/find", "/list"), List.of("/cart", "/pay"));

  private static final int START_SECONDS = 120;

  /** A program that is ready. */
  record Started(String name, URI http, int ingestPort) {}

  private final FleetPrograms programs;
  private final FleetProcesses processes;
  private final int partitions;
  private final FreePorts ports = new FreePorts();
  private final List<Started> nodes = new ArrayList<>();
  private final List<Started> gateways = new ArrayList<>();
  private final List<Started> sidecars = new ArrayList<>();
  private String broker = "";

  DemoProcesses(FleetPrograms programs, FleetProcesses processes, int partitions) {
    this.programs = programs;
    this.processes = processes;
    this.partitions = partitions;
  }

  /** Starts the broker. */
  void startBroker() throws FleetException, IOException {
    int port = ports.next();
    List<String> command =
        programs.broker(
            BrokerFiles.write(processes.logs(), ports.next(), List.of(port), List.of(port)));
    processes.start("broker", command).awaitLine(FleetPrograms.BROKER_STARTED, START_SECONDS);
    broker = "127.0.0.1:" + port;
  }

  /** Starts a gateway, which makes the topics. */
  void startGateway() throws FleetException {
    FleetProcess gateway =
        processes.start(
            "gateway",
            programs.gateway(
                with(kafka(), "--kafka-create-topics", "--ingest-port=0", "--http-port=0")));
    gateways.add(ready(gateway));
  }

  /**
   * Starts nodes and sidecars at once, and waits for all.
   *
   * @param httpPort of the first node, the next has the next; 0 for any
   */
  void startNodesAndSidecars(int nodeCount, int sidecarCount, int httpPort) throws FleetException {
    List<FleetProcess> starting = new ArrayList<>();
    for (int i = 0; i < nodeCount; i++) {
      String name = "node-" + (i + 1);
      starting.add(
          processes.start(
              name,
              programs.node(
                  with(
                      kafka(),
                      "--node-state-directory=" + processes.logs().resolve(name),
                      "--node-commit-interval=1s",
                      "--http-port=" + (httpPort == 0 ? 0 : httpPort + i)))));
    }
    for (int i = 0; i < sidecarCount; i++) {
      starting.add(processes.start("sidecar-" + (i + 1), programs.sidecar(below(i))));
    }
    for (FleetProcess process : starting) {
      (process.name().startsWith("node") ? nodes : sidecars).add(ready(process));
    }
  }

  private List<String> below(int sidecar) {
    return List.of(
        "--upstream-address=tcp://127.0.0.1:" + gateways.get(0).ingestPort(),
        "--upstream-interval=1s",
        "--upstream-resource-deployment=" + DEPLOYMENTS.get(deployment(sidecar)),
        "--upstream-resource-pod=pod-" + (sidecar + 1),
        "--self-hiccups=false",
        "--ingest-port=0",
        "--http-port=0");
  }

  /** To which deployment a sidecar belongs. */
  static int deployment(int sidecar) {
    return sidecar % DEPLOYMENTS.size();
  }

  /** What the fleet calls the series of a route. */
  static String series(int deployment, String route) {
    return "request{deployment=\"" + DEPLOYMENTS.get(deployment) + "\",route=\"" + route + "\"}";
  }

  private List<String> kafka() {
    return List.of(
        "--kafka-bootstrap-servers=" + broker,
        "--kafka-partitions=" + partitions,
        "--kafka-replicas=1");
  }

  private static List<String> with(List<String> settings, String... more) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(List.of(more));
    return all;
  }

  private static Started ready(FleetProcess process) throws FleetException {
    boolean isNode = process.name().startsWith("node");
    Matcher ready =
        process.awaitLine(
            isNode ? FleetPrograms.HTTP : FleetPrograms.INGEST_AND_HTTP, START_SECONDS);
    return new Started(
        process.name(),
        URI.create(ready.group("http")),
        isNode ? 0 : Integer.parseInt(ready.group("ingest")));
  }

  List<Started> nodes() {
    return nodes;
  }

  List<Started> gateways() {
    return gateways;
  }

  List<Started> sidecars() {
    return sidecars;
  }

  /** Where Kafka is. */
  String broker() {
    return broker;
  }
}

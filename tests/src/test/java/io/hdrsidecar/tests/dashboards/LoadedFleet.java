package io.hdrsidecar.tests.dashboards;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.FleetProcesses;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A broker, a gateway and two nodes, with two deployments under load, whose sidecars hand on; and a
 * Prometheus that scrapes gateway and nodes as the PodMonitor says.
 */
final class LoadedFleet implements AutoCloseable {
  static final List<String> NODES = List.of("fleet-node-0", "fleet-node-1");
  static final List<String> DEPLOYMENTS = List.of("cart", "shop");

  private static final int PARTITIONS = 4;

  private final KafkaBroker broker;
  private final Path directory;
  private final Duration story;
  private final FleetProcesses fleet;
  private final FleetProcesses.Started gateway;
  private final Map<String, FleetProcesses.Started> nodes = new LinkedHashMap<>();
  private final List<SidecarProcess> sidecars = new ArrayList<>();
  private final List<Process> applications = new ArrayList<>();
  private final PrometheusServer prometheus;

  /**
   * Starts everything.
   *
   * @param directory for stores
   * @param story of the load, see {@link PodLoad}
   */
  LoadedFleet(Path directory, String rules, Duration story) throws Exception {
    this.directory = directory;
    this.story = story;
    this.broker = new KafkaBroker();
    broker.createTopics("hdr", PARTITIONS);
    this.fleet =
        new FleetProcesses(
            new Processes(),
            List.of(
                "--kafka-bootstrap-servers=" + broker.bootstrap(),
                "--kafka-partitions=" + PARTITIONS));
    this.gateway = fleet.gateway();
    for (String node : NODES) {
      nodes.put(node, node(node));
    }
    for (String deployment : DEPLOYMENTS) {
      SidecarProcess sidecar =
          new Processes()
              .sidecar(
                  0,
                  "--upstream-address=" + gateway.ingestAddress(),
                  "--upstream-interval=1s",
                  "--upstream-resource-namespace=web",
                  "--upstream-resource-deployment=" + deployment,
                  "--upstream-resource-pod=" + deployment + "-0");
      sidecars.add(sidecar);
      applications.add(load(sidecar, deployment.equals("shop") ? 700 : 0));
    }
    Map<String, Integer> ports = new LinkedHashMap<>();
    nodes.forEach((node, started) -> ports.put(node, started.http().getPort()));
    this.prometheus =
        PrometheusServer.scrapingJobs(
            job("hdr-sidecar-fleet-gateway", Map.of("fleet-gateway", gateway.http().getPort()))
                + job("hdr-sidecar-fleet-node", ports),
            rules);
  }

  private FleetProcesses.Started node(String name) throws InterruptedException {
    FleetProcesses.Started before = nodes.get(name);
    return fleet.node(
        directory.resolve(name),
        "--node-commit-interval=1s",
        "--windows=1m",
        "--http-port=" + (before == null ? 0 : before.http().getPort()));
  }

  private static String job(String job, Map<String, Integer> ports) {
    return PrometheusServer.job("monitoring", job, ports) + "    honor_labels: true\n";
  }

  private Process load(SidecarProcess sidecar, int longCallMillis) throws IOException {
    List<String> arguments =
        List.of(
            sidecar.ingestAddress(),
            Long.toString(story.toSeconds()),
            Integer.toString(longCallMillis));
    List<String> options = new ArrayList<>(Launch.SHORT_LIVED);
    options.add("-Xmx64m");
    return Launch.builder(Launch.program(options, PodLoad.class, arguments))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Until counts of both deployments have been scraped so many times, whichever node has them. */
  void awaitScraped(int times) throws Exception {
    String scraped =
        "count(count by (deployment) (count_over_time(checkout_seconds{kind=\"wait\"}[1h]) >= %d))"
            .formatted(times);
    Eventually.holds(
        () -> {
          if (prometheus.result(scraped + " == " + DEPLOYMENTS.size()).isEmpty()) {
            throw new AssertionError("not scraped " + times + " times");
          }
        });
  }

  PrometheusServer prometheus() {
    return prometheus;
  }

  FleetProcesses.Started gateway() {
    return gateway;
  }

  List<FleetProcesses.Started> nodes() {
    return List.copyOf(nodes.values());
  }

  /** Ends the second node as kill -9 does, and starts it again after a while. */
  void killANode(Duration away) throws InterruptedException {
    String second = NODES.get(1);
    requireNonNull(nodes.get(second)).process().kill();
    LockSupport.parkNanos(away.toNanos());
    nodes.put(second, node(second));
  }

  /** Lets nobody reach the broker for a while. */
  void cutTheBroker(Duration away) {
    broker.cut();
    LockSupport.parkNanos(away.toNanos());
    broker.lead();
  }

  @Override
  public void close() throws IOException {
    applications.forEach(application -> application.destroyForcibly().onExit().join());
    sidecars.forEach(SidecarProcess::kill);
    gateway.process().kill();
    nodes.values().forEach(node -> node.process().kill());
    prometheus.close();
    broker.close();
  }
}

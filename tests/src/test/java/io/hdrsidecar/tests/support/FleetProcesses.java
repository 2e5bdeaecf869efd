package io.hdrsidecar.tests.support;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gateways and nodes of a fleet on Kafka, each a process of its own. */
public final class FleetProcesses {
  private static final Pattern GATEWAY =
      Pattern.compile("event=ready ingest=(?<ingest>\\S+) http=(?<http>\\S+)");
  private static final Pattern NODE = Pattern.compile("event=ready http=(?<http>\\S+)");

  private final Processes processes;
  private final List<String> kafka;

  /** Beside others of a test; brokers and what is said of them, as flags. */
  public FleetProcesses(Processes processes, List<String> kafka) {
    this.processes = processes;
    this.kafka = List.copyOf(kafka);
  }

  /**
   * One that is ready.
   *
   * @param ingestAddress where sidecars hand on to; empty at a node
   * @param http where it answers
   */
  public record Started(JavaProcess process, String ingestAddress, URI http) {}

  /** Starts a gateway on free ports. */
  public Started gateway(String... options) throws InterruptedException {
    JavaProcess process = start("gateway", List.of("--ingest-port=0"), options);
    Matcher ready = process.awaitLine(GATEWAY);
    return new Started(process, ready.group("ingest"), URI.create(ready.group("http")));
  }

  /** Starts a node with its stores in a folder. */
  public Started node(Path state, String... options) throws InterruptedException {
    List<String> stores = List.of("--node-state-directory=" + state, "--kafka-replicas=1");
    JavaProcess process = start("node", stores, options);
    Matcher ready = process.awaitLine(NODE);
    return new Started(process, "", URI.create(ready.group("http")));
  }

  private JavaProcess start(String command, List<String> own, String... options) {
    List<String> arguments = new ArrayList<>(command(command));
    arguments.addAll(kafka);
    arguments.addAll(own);
    arguments.add("--http-port=0");
    arguments.addAll(List.of(options));
    return processes.start(arguments, Map.of());
  }

  /** What runs a command of the fleet's jar. */
  public static List<String> command(String command) {
    File jar =
        new File(
            System.getProperty("hdr-sidecar-fleet.jar", "../fleet/target/hdr-sidecar-fleet.jar"));
    if (!jar.isFile()) {
      throw new IllegalStateException("not built, run mvn package first: " + jar);
    }
    List<String> all = new ArrayList<>(List.of(Launch.java().toString()));
    all.addAll(Launch.SHORT_LIVED);
    all.addAll(List.of("-Xmx192m", "-jar", jar.toString(), command));
    return all;
  }
}

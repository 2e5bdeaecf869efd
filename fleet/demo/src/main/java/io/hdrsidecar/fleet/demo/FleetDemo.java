package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: a fleet of processes under load, and its percentiles beside the truth. */
@Command(
    name = "hdr-sidecar-fleet-demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts a broker of Kafka, a gateway, nodes and sidecars, each a process of its own, records"
          + " into all sidecars, and prints the percentiles of the fleet beside those of all raw"
          + " values.",
      "Ends with 0 if they are equal, 1 if not, 2 if it could not be started."
    })
public final class FleetDemo implements Callable<Integer> {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final int INTERRUPTED = 130;
  private static final int PATIENCE_SECONDS = 60;

  /** Twenty times "connected" says nothing new. Held, as it is forgotten otherwise. */
  private static final Logger CLIENTS = Logger.getLogger("io.hdrsidecar");

  @Option(
      names = "--sidecars",
      defaultValue = "20",
      paramLabel = "<count>",
      description = "How many sidecars, each with a client (${DEFAULT-VALUE}).")
  private int sidecars;

  @Option(
      names = "--nodes",
      defaultValue = "2",
      paramLabel = "<count>",
      description = "How many nodes (${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--partitions",
      defaultValue = "8",
      paramLabel = "<count>",
      description = "Partitions of both topics (${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--seconds",
      defaultValue = "30",
      paramLabel = "<seconds>",
      description = "For how long values are recorded (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--rate",
      defaultValue = "500",
      paramLabel = "<values>",
      description = "Values a second that each client records (${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "<number>",
      description = "Another one, other values (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--http-port",
      defaultValue = "0",
      paramLabel = "<port>",
      description = "Port of the first node, the next has the next one; 0, the default, for any.")
  private int httpPort;

  @Option(names = "--stay", description = "Goes on recording after the table, until Ctrl-C.")
  private boolean stays;

  @Option(
      names = "--sidecar-jar",
      paramLabel = "<file>",
      description = "hdr-sidecar.jar, where it was not built beside this program.")
  private @Nullable Path sidecarJar;

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  private final FleetAnswers answers = new FleetAnswers();
  private final List<RecordingClient> clients = new ArrayList<>();

  /** Runs it. */
  public static void main(String[] arguments) {
    CLIENTS.setLevel(Level.WARNING);
    System.exit(new CommandLine(new FleetDemo()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    program.check("--sidecars", sidecars, 1, 200);
    program.check("--nodes", nodes, 1, 20);
    program.check("--partitions", partitions, nodes, 256);
    program.check("--seconds", seconds, 1, 86_400);
    program.check("--rate", rate, 1, 100_000);
    program.check("--http-port", httpPort, 0, 65_535 - nodes);
    for (int port = httpPort; httpPort > 0 && port < httpPort + nodes; port++) {
      if (!FreePorts.isFree(port)) {
        throw new ParameterException(
            spec.commandLine(), "--http-port: somebody else listens on port " + port);
      }
    }
    Path folder = Files.createTempDirectory("hdr-fleet-demo");
    FleetProcesses processes = new FleetProcesses(folder);
    Thread end = new Thread(() -> end(processes, folder), "end");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      return run(processes);
    } catch (FleetException e) {
      if (processes.isClosed()) {
        return INTERRUPTED; // Ctrl-C, and nobody waits for this.
      }
      spec.commandLine().getErr().println(e.getMessage());
      return ExitCode.USAGE;
    }
  }

  private static void end(FleetProcesses processes, Path folder) {
    processes.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int run(FleetProcesses processes)
      throws FleetException, IOException, InterruptedException {
    Path checkout = FleetPrograms.checkout();
    FleetPrograms programs =
        new FleetPrograms(
            ProgramOptions.orElse(sidecarJar, checkout.resolve("sidecar/target/hdr-sidecar.jar")),
            program.fleetJar(checkout));
    DemoProcesses fleet = new DemoProcesses(programs, processes, partitions);
    program.say(
        "starting a broker, a gateway, " + nodes + " nodes and " + sidecars + " sidecars ...");
    fleet.startBroker();
    fleet.startGateway();
    fleet.startNodesAndSidecars(nodes, sidecars, httpPort);
    sayWhereToLook(fleet, processes);
    connect(fleet);
    program.say(
        "recording " + (long) rate * sidecars + " values a second for " + seconds + " s ...");
    clients.forEach(RecordingClient::resume);
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds));
    clients.forEach(RecordingClient::pause);
    boolean isEqual = compare(fleet);
    if (stays) {
      program.say("recording goes on; Ctrl-C ends all");
      clients.forEach(RecordingClient::resume);
      new CountDownLatch(1).await(); // until Ctrl-C
    }
    return isEqual ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void connect(DemoProcesses fleet) {
    for (int i = 0; i < sidecars; i++) {
      clients.add(
          new RecordingClient(
              RecordingClient.config(fleet.sidecars().get(i).ingestPort()).build(),
              DemoProcesses.ROUTES.get(DemoProcesses.deployment(i)),
              rate,
              seed * sidecars + i));
    }
  }

  private boolean compare(DemoProcesses fleet) throws FleetException, InterruptedException {
    program.say("waiting until sidecars, Kafka and nodes have all of it ...");
    ProcessWait.until(
        "clients to be acknowledged",
        PATIENCE_SECONDS,
        () -> clients.stream().allMatch(RecordingClient::isDelivered));
    ComparisonTable table = new ComparisonTable();
    for (int d = 0; d < Math.min(sidecars, DemoProcesses.DEPLOYMENTS.size()); d++) {
      for (String route : DemoProcesses.ROUTES.get(d)) {
        FleetStatistics raw = raw(route);
        table.add(
            DemoProcesses.series(d, route),
            fleetHas(fleet, DemoProcesses.series(d, route), raw),
            raw);
      }
    }
    program.say(System.lineSeparator() + table);
    program.say(
        table.isEqual()
            ? "fleet and raw values are equal: count, sum, extremes, percentiles, and each bucket"
            : "fleet and raw values DIFFER");
    return table.isEqual();
  }

  private FleetStatistics raw(String route) {
    RawTruth truth = new RawTruth();
    clients.forEach(client -> client.addTo(truth, route));
    return truth.statistics(PERCENTILES);
  }

  /** Waits until it has as many values; then that is what it has. */
  private FleetStatistics fleetHas(DemoProcesses fleet, String series, FleetStatistics raw)
      throws FleetException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      Optional<FleetStatistics> found = asked(fleet, series);
      if (found.isPresent()
          && (found.get().count() >= raw.count() || System.nanoTime() - deadline > 0)) {
        return found.get();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new FleetException("no node has " + series);
      }
      Thread.sleep(100);
    }
  }

  private Optional<FleetStatistics> asked(DemoProcesses fleet, String series)
      throws InterruptedException {
    for (DemoProcesses.Started node : fleet.nodes()) {
      Optional<FleetStatistics> found = answers.total(node.http(), series);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private void sayWhereToLook(DemoProcesses fleet, FleetProcesses processes) {
    fleet.nodes().forEach(node -> say(node.name(), node.http() + "/ and /metrics"));
    say("gateway", fleet.gateways().get(0).http() + "/metrics");
    say("a sidecar", fleet.sidecars().get(0).http() + "/");
    say("Kafka", fleet.broker());
    say("logs", processes.logs().toString());
  }

  private void say(String name, String where) {
    program.say(String.format("%-10s %s", name, where));
  }
}

package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The program that measures: real processes of a fleet under the load of simulated sidecars. */
@Command(
    name = "hdr-sidecar-fleet-load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts a broker of Kafka, a gateway and nodes, each a process of its own, has simulated"
          + " sidecars hand on intervals over connections of their own, and prints the processor"
          + " time and the memory of each process. The load generator is not among them.",
      "Ends with 0 if nodes show exactly what was sent, 1 if not, 2 if it could not be measured."
    })
public final class FleetLoad implements Callable<Integer> {
  /** What is measured one after the other. */
  enum Table {
    /** The load that the options say. */
    ONE,
    /** As many intervals a second, from 10, 100 and so on up to that many sidecars. */
    SIDECARS,
    /** The same sidecars, whose deployments are 10, 100 and so on up to one for each. */
    SERIES,
    /** The same load on 1, 2 and 3 nodes. */
    NODES;

    /** As it is typed. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--table",
      defaultValue = "one",
      paramLabel = "<table>",
      description =
          "One of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). sidecars: as many intervals a"
              + " second from 10, 100, ... sidecars; series: 10, 100, ... deployments; nodes: 1 to"
              + " 3 nodes.")
  private Table table = Table.ONE;

  @Option(
      names = "--sidecars",
      defaultValue = "1000",
      paramLabel = "<count>",
      description = "How many sidecars (${DEFAULT-VALUE}).")
  private int sidecars;

  @Option(
      names = "--series",
      defaultValue = "100",
      paramLabel = "<count>",
      description = "Series of each (${DEFAULT-VALUE}).")
  private int series;

  @Option(
      names = "--deployments",
      defaultValue = "10",
      paramLabel = "<count>",
      description = "To which sidecars belong by turns; the fleet adds up those of one.")
  private int deployments;

  @Option(
      names = "--interval",
      defaultValue = "10000",
      paramLabel = "<milliseconds>",
      description = "How often a sidecar hands on all its series (${DEFAULT-VALUE}).")
  private int interval;

  @Option(
      names = "--payload",
      defaultValue = "256",
      paramLabel = "<bytes>",
      description = "Length of an interval's histogram, deflated (${DEFAULT-VALUE}).")
  private int payload;

  @Option(
      names = "--nodes",
      defaultValue = "1",
      paramLabel = "<count>",
      description = "How many nodes (${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--partitions",
      defaultValue = "16",
      paramLabel = "<count>",
      description = "Partitions of both topics (${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--warm-up",
      defaultValue = "90",
      paramLabel = "<seconds>",
      description = "How long nothing is measured (${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      paramLabel = "<seconds>",
      description = "How long it is measured then (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--kafka",
      paramLabel = "<name=value>",
      description = "A setting of the clients of Kafka, such as compression.type=zstd; repeatable.")
  private List<String> kafka = List.of();

  @Option(
      names = "--broker-jvm",
      defaultValue = "-Xmx512m",
      split = " ",
      paramLabel = "<options>",
      description = "Options of the broker's JVM (${DEFAULT-VALUE}).")
  private List<String> brokerJvm = List.of();

  @Option(
      names = "--gateway-jvm",
      defaultValue = "-Xmx256m -XX:+UseSerialGC",
      split = " ",
      paramLabel = "<options>",
      description = "Options of the gateway's JVM (${DEFAULT-VALUE}).")
  private List<String> gatewayJvm = List.of();

  @Option(
      names = "--node-jvm",
      defaultValue = "-Xmx1g",
      split = " ",
      paramLabel = "<options>",
      description = "Options of the JVM of each node (${DEFAULT-VALUE}).")
  private List<String> nodeJvm = List.of();

  @Mixin private ProgramOptions program = new ProgramOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs it. */
  public static void main(String[] arguments) {
    System.exit(command().execute(arguments));
  }

  /** The command line. */
  static CommandLine command() {
    return new CommandLine(new FleetLoad()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    program.check("--sidecars", sidecars, 1, 20_000);
    program.check("--series", series, 1, 10_000);
    program.check("--deployments", deployments, 1, sidecars);
    program.check("--interval", interval, 1, 3_600_000);
    program.check("--payload", payload, 1, 20_000);
    program.check("--nodes", nodes, 1, 20);
    program.check("--partitions", partitions, nodes, 256);
    program.check("--warm-up", warmUp, 0, 86_400);
    program.check("--seconds", seconds, 1, 86_400);
    try {
      return measureAll();
    } catch (FleetException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return ExitCode.USAGE;
    }
  }

  private int measureAll() throws FleetException, IOException, InterruptedException {
    Path checkout = FleetPrograms.checkout();
    FleetPrograms programs =
        new FleetPrograms(
            checkout.resolve("sidecar/target/hdr-sidecar.jar"),
            program.fleetJar(checkout),
            new FleetPrograms.JvmOptions(brokerJvm, gatewayJvm, nodeJvm));
    StringBuilder ofNodes = new StringBuilder(LoadResult.nodeHead());
    boolean areEqual = true;
    program.say(LoadResult.head());
    for (LoadShape shape : shapes().toList()) {
      LoadResult result = new LoadRun(programs, shape, kafka).run();
      program.say(result.row());
      ofNodes.append(System.lineSeparator()).append(result.nodeRows());
      areEqual &= result.isEqual();
    }
    program.say(System.lineSeparator() + ofNodes);
    return areEqual ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Stream<LoadShape> shapes() {
    LoadShape all =
        new LoadShape(
            sidecars, series, deployments, interval, payload, nodes, partitions, warmUp, seconds);
    return switch (table) {
      case ONE -> Stream.of(all);
      case SIDECARS -> upTo(sidecars).mapToObj(all::withSidecars);
      case SERIES -> upTo(sidecars).mapToObj(all::withDeployments);
      case NODES -> IntStream.rangeClosed(1, 3).mapToObj(all::withNodes);
    };
  }

  /** 10, 100 and so on, and that number. */
  private static IntStream upTo(int most) {
    return IntStream.concat(
        IntStream.iterate(10, count -> count < most, count -> count * 10), IntStream.of(most));
  }
}

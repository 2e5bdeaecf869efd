package io.hdrsidecar.fleet.demo;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** How each program of the fleet is called, with a small heap unless told otherwise. */
final class FleetPrograms {
  /**
   * Options of JVMs.
   *
   * @param broker of the broker's
   * @param gateway of a gateway's
   * @param node of a node's
   */
  record JvmOptions(List<String> broker, List<String> gateway, List<String> node) {
    /** Takes copies. */
    JvmOptions {
      broker = List.copyOf(broker);
      gateway = List.copyOf(gateway);
      node = List.copyOf(node);
    }
  }

  /** In what a gateway or a sidecar prints when it is ready. */
  static final Pattern INGEST_AND_HTTP =
      Pattern.compile(
          "event=ready.*?ingest=tcp://[^:]+:(?<ingest>\\d+).*?http=(?<http>http://\\S+)");

  /** In what a node prints. */
  static final Pattern HTTP = Pattern.compile("event=ready.*?http=(?<http>http://\\S+)");

  /** In what a broker prints. */
  static final Pattern BROKER_STARTED = Pattern.compile("Kafka Server started");

  /** They start fast, and leave the processors to the others. */
  private static final List<String> JVM =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private static final JvmOptions SMALL =
      new JvmOptions(small("256m"), small("64m"), small("128m"));

  private final Path sidecarJar;
  private final Path fleetJar;
  private final JvmOptions jvm;

  /**
   * With these jars.
   *
   * @throws FleetException when one of them is not there
   */
  FleetPrograms(Path sidecarJar, Path fleetJar) throws FleetException {
    this(sidecarJar, fleetJar, SMALL);
  }

  /**
   * With JVMs of these options.
   *
   * @throws FleetException when one of the jars is not there
   */
  FleetPrograms(Path sidecarJar, Path fleetJar, JvmOptions jvm) throws FleetException {
    this.sidecarJar = require(sidecarJar, "--sidecar-jar");
    this.fleetJar = require(fleetJar, "--fleet-jar");
    this.jvm = jvm;
  }

  private static List<String> small(String heap) {
    List<String> options = new ArrayList<>(JVM);
    options.add("-Xmx" + heap);
    return options;
  }

  private static Path require(Path jar, String option) throws FleetException {
    if (!Files.isRegularFile(jar)) {
      throw new FleetException(
          "no " + jar + ": build it with mvn package, or say where it is with " + option);
    }
    return jar;
  }

  /** The root of the checkout in which this program was built. */
  static Path checkout() {
    try {
      Path program =
          Path.of(FleetPrograms.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      // fleet/demo/target/hdr-sidecar-fleet-demo.jar, or classes in its place
      return program.resolve("../../../..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A broker with that file of properties. */
  List<String> broker(Path properties) {
    List<String> command = ofThisProgram(jvm.broker(), BrokerMain.class);
    command.add(properties.toString());
    return command;
  }

  /** What ends the others when this process is killed. */
  static List<String> endWatch() {
    return ofThisProgram(small("16m"), EndWatchMain.class);
  }

  private static List<String> ofThisProgram(List<String> options, Class<?> program) {
    List<String> command = java(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path", ""));
    command.add(program.getName());
    return command;
  }

  /** A gateway before brokers. */
  List<String> gateway(List<String> settings) {
    return program(jvm.gateway(), fleetJar, "gateway", settings);
  }

  /** A node behind them. */
  List<String> node(List<String> settings) {
    return program(jvm.node(), fleetJar, "node", settings);
  }

  /** A sidecar below a gateway. */
  List<String> sidecar(List<String> settings) {
    return program(small("48m"), sidecarJar, "serve", settings);
  }

  private static List<String> program(
      List<String> options, Path jar, String command, List<String> settings) {
    List<String> all = java(options);
    all.add("-jar");
    all.add(jar.toString());
    all.add(command);
    all.addAll(settings);
    return all;
  }

  private static List<String> java(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(options);
    return command;
  }
}

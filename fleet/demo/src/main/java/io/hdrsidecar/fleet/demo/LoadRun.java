package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One load on one fleet, from its start to the check that nothing is missing or too much. */
final class LoadRun {
  private static final int SHOW_SECONDS = 600;
  private static final String INTERVALS = "hdr.intervals-";
  private static final String CHANGELOGS = "hdr-node-";

  private final FleetPrograms programs;
  private final LoadShape shape;
  private final List<String> kafkaProperties;

  LoadRun(FleetPrograms programs, LoadShape shape, List<String> kafkaProperties) {
    this.programs = programs;
    this.shape = shape;
    this.kafkaProperties = kafkaProperties;
  }

  /** Processor time of each process so far, in nanoseconds, and what it was for. */
  private record Reading(
      long atNanos,
      long settled,
      long gateway,
      long broker,
      List<Long> nodes,
      List<Long> read,
      List<Long> longestCommits) {}

  /**
   * Starts, measures, compares and ends it.
   *
   * @throws FleetException when it cannot be started, or sidecars were cut off
   */
  LoadResult run() throws FleetException, IOException, InterruptedException {
    try (LoadProcesses fleet = new LoadProcesses(programs, shape, kafkaProperties);
        Probes probes = new Probes(fleet);
        SimulatedSidecars sidecars = new SimulatedSidecars(shape, fleet.ingestPort())) {
      sleep(shape.warmUpSeconds(), sidecars);
      Reading before = read(fleet, probes, sidecars);
      long lateBefore = sidecars.late();
      sleep(shape.seconds(), sidecars);
      Reading after = read(fleet, probes, sidecars);
      long late = sidecars.late() - lateBefore;
      String load = LoadResult.machineLoad();
      sidecars.stop();
      boolean isEqual = isEqual(fleet, sidecars);
      Optional<Path> kept = isEqual ? Optional.empty() : Optional.of(fleet.keep());
      return result(fleet, probes, sidecars, before, after, late, load, kept);
    }
  }

  private static void sleep(int seconds, SimulatedSidecars sidecars)
      throws FleetException, InterruptedException {
    for (int i = 0; i < seconds; i++) {
      Thread.sleep(1000);
      sidecars.requireNoFailure();
    }
  }

  private static Reading read(LoadProcesses fleet, Probes probes, SimulatedSidecars sidecars)
      throws FleetException {
    List<Long> nodes = new ArrayList<>();
    List<Long> read = new ArrayList<>();
    List<Long> longestCommits = new ArrayList<>();
    for (int i = 0; i < fleet.nodes().size(); i++) {
      nodes.add(JvmProbe.cpuNanos(fleet.nodes().get(i).process().handle()));
      read.add(probes.all.get(i).intervalsRead());
      longestCommits.add(probes.all.get(i).longestCommitMillis());
    }
    return new Reading(
        System.nanoTime(),
        sidecars.settled(),
        JvmProbe.cpuNanos(fleet.gateway().handle()),
        JvmProbe.cpuNanos(fleet.broker().handle()),
        nodes,
        read,
        longestCommits);
  }

  /** Waits until nodes show as many values as were sent; then that is what they have. */
  private boolean isEqual(LoadProcesses fleet, SimulatedSidecars sidecars)
      throws FleetException, InterruptedException {
    if (sidecars.settled() == 0) {
      throw new FleetException("nothing was sent: measure for longer than --interval");
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHOW_SECONDS);
    for (int d = 0; d < shape.deployments(); d++) {
      FleetStatistics sent = sidecars.sent(d);
      for (LoadProcesses.Node node : fleet.nodes()) { // Each answers for the whole fleet.
        Optional<FleetStatistics> shown = shown(fleet, node, d);
        while (shown.map(FleetStatistics::count).orElse(0L) < sent.count()
            && System.nanoTime() - deadline < 0) {
          Thread.sleep(200);
          shown = shown(fleet, node, d);
        }
        boolean isEqual = shown.map(sent::countsAsMuchAs).orElse(sent.count() == 0);
        if (!isEqual) {
          return false;
        }
      }
    }
    return true;
  }

  private static Optional<FleetStatistics> shown(
      LoadProcesses fleet, LoadProcesses.Node node, int deployment) throws InterruptedException {
    String selector =
        SimulatedSidecar.NAME + "{deployment=\"" + SimulatedSidecar.deployment(deployment) + "\"}";
    return fleet.answers().total(node.http(), selector);
  }

  private LoadResult result(
      LoadProcesses fleet,
      Probes probes,
      SimulatedSidecars sidecars,
      Reading before,
      Reading after,
      long late,
      String load,
      Optional<Path> kept)
      throws FleetException, IOException, InterruptedException {
    double nanos = after.atNanos - before.atNanos;
    List<LoadResult.OfNode> nodes = new ArrayList<>();
    for (int i = 0; i < fleet.nodes().size(); i++) {
      LoadProcesses.Node node = fleet.nodes().get(i);
      JvmProbe.Memory memory = probes.all.get(i).memory();
      nodes.add(
          new LoadResult.OfNode(
              node.name(),
              fleet.metric(node, "hdr_sidecar_fleet_partitions"),
              fleet.metric(node, "hdr_sidecar_series"),
              (after.read.get(i) - before.read.get(i)) / (nanos / 1e9),
              (after.nodes.get(i) - before.nodes.get(i)) / nanos,
              after.longestCommits.get(i),
              memory,
              fleet.diskBytes(node)));
    }
    double all = sidecars.settled();
    return new LoadResult(
        shape,
        sidecars.payloadBytes(),
        (after.settled - before.settled) / (nanos / 1e9),
        (after.gateway - before.gateway) / nanos,
        (after.broker - before.broker) / nanos,
        nodes,
        fleet.topicBytes(INTERVALS) / all,
        fleet.topicBytes(CHANGELOGS) / all,
        late,
        load,
        kept);
  }

  /** One for each node. */
  private static final class Probes implements AutoCloseable {
    private final List<JvmProbe> all = new ArrayList<>();

    Probes(LoadProcesses fleet) throws FleetException {
      for (LoadProcesses.Node node : fleet.nodes()) {
        all.add(new JvmProbe(node.process().handle()));
      }
    }

    @Override
    public void close() throws IOException {
      for (JvmProbe probe : all) {
        probe.close();
      }
    }
  }
}

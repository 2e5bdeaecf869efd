package io.hdrsidecar.fleet.demo;

import static io.hdrsidecar.fleet.demo.TroubledFleet.PATIENCE_SECONDS;

import io.hdrsidecar.fleet.demo.TroubledFleet.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares what the nodes of a fleet answer with what its clients recorded. */
final class FleetJudge {
  private static final Duration BEFORE_LATE = Duration.ofMinutes(75);
  private static final Duration AFTER_LATE = Duration.ofMinutes(30);

  /**
   * How the fleet stands.
   *
   * @param differences what is not as recorded, series by series
   */
  record Verdict(long recorded, long lost, long doubled, List<String> differences) {}

  private final TroubledFleet fleet;
  private final Instant begun = Instant.now();
  private final List<String> differences = new ArrayList<>();
  private long recorded;
  private long lost;
  private long doubled;

  FleetJudge(TroubledFleet fleet) {
    this.fleet = fleet;
  }

  /**
   * Waits until all that was recorded is in the fleet, and one more value of each series behind it:
   * then all that was sent again has been looked at, too.
   */
  Verdict judge() throws Exception {
    fleet.lanes().forEach(lane -> lane.client().pause());
    awaitWhole();
    fleet.lanes().forEach(lane -> lane.client().recordToEach());
    awaitWhole();
    recorded = 0;
    lost = 0;
    doubled = 0;
    differences.clear();
    for (Map.Entry<String, FleetStatistics> series : recorded().entrySet()) {
      compare(series.getKey(), series.getValue());
    }
    return new Verdict(recorded, lost, doubled, List.copyOf(differences));
  }

  private void awaitWhole() throws Exception {
    for (Supervised each : fleet.all()) {
      if (each.isWanted()) {
        each.awaitReady();
      }
    }
    for (Lane lane : fleet.lanes()) {
      Eventually.holds(
          () -> "acknowledged by " + lane.sidecar().name() + ": " + lane.client().health(),
          PATIENCE_SECONDS,
          lane.client()::isDelivered);
      Eventually.holds(
          lane.sidecar().name() + " has handed on all",
          PATIENCE_SECONDS,
          () -> fleet.answers().waitingValues(lane.sidecar().http()) == 0);
    }
    Map<String, FleetStatistics> expected = recorded();
    // What is missing then is named in the verdict.
    Eventually.orGivesUp(PATIENCE_SECONDS, () -> fleet.areSpread() && isCounted(expected));
  }

  private boolean isCounted(Map<String, FleetStatistics> expected) throws Exception {
    for (Map.Entry<String, FleetStatistics> series : expected.entrySet()) {
      long counted = 0;
      for (Supervised node : fleet.running()) {
        long here =
            fleet
                .answers()
                .total(node.http(), series.getKey())
                .map(FleetStatistics::count)
                .orElse(0L);
        counted = Math.max(counted, here);
      }
      if (counted < series.getValue().count()) {
        return false;
      }
    }
    return true;
  }

  private Map<String, FleetStatistics> recorded() {
    Map<String, RawTruth> sums = new TreeMap<>();
    for (Lane lane : fleet.lanes()) {
      for (String route : DemoProcesses.ROUTES.get(lane.deployment())) {
        RawTruth sum =
            sums.computeIfAbsent(
                DemoProcesses.series(lane.deployment(), route), none -> new RawTruth());
        lane.client().addTo(sum, route);
      }
    }
    sums.putAll(fleet.late());
    Map<String, FleetStatistics> statistics = new TreeMap<>();
    sums.forEach((series, truth) -> statistics.put(series, truth.statistics(50, 90, 99, 99.9)));
    return statistics;
  }

  private void compare(String series, FleetStatistics truth) throws Exception {
    recorded += truth.count();
    double scraped = 0;
    int answering = 0;
    for (Supervised node : fleet.running()) {
      Optional<FleetStatistics> found = fleet.answers().total(node.http(), series);
      if (found.isPresent()) {
        answering++;
        lost += found.get().missing(truth);
        doubled += truth.missing(found.get());
        if (!found.get().equals(truth)) {
          differences.add(series + " at " + node.name() + " is " + found.get() + " not " + truth);
        }
      }
      scraped += fleet.metric(node.http(), series.replace("request{", "request_seconds_count{"));
    }
    if (answering == 0) {
      lost += truth.count();
      differences.add(series + " is at no node");
    }
    if (scraped != truth.count()) {
      differences.add(series + ": scraped " + scraped + " not " + truth.count());
    }
    if (fleet.late().containsKey(series) && !isAnHourAgo(series, truth)) {
      differences.add(series + " is not whole an hour ago");
    }
  }

  private boolean isAnHourAgo(String series, FleetStatistics truth) throws Exception {
    String range =
        "&start="
            + begun.minus(BEFORE_LATE).getEpochSecond()
            + "&end="
            + Instant.now().minus(AFTER_LATE).getEpochSecond();
    for (Supervised node : fleet.running()) {
      Optional<FleetStatistics> found = fleet.answers().statistics(node.http(), series, range);
      if (found.isPresent() && found.get().buckets().equals(truth.buckets())) {
        return true;
      }
    }
    return false;
  }
}

package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to the processes of a fleet on Kafka and between them, each value recorded is in
 * the fleet once.
 *
 * <p>{@code -Dhdr.fleet.chaos.faults=300} for more faults, {@code -Dhdr.fleet.chaos.seed=N} for
 * those of a run before. What a failed run leaves is in {@code target/chaos/<seed>}.
 */
final class KafkaFleetChaosIT {
  /** Their clients print all settings at each start. Held, as it is forgotten otherwise. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private final int faults =
      Integer.getInteger("hdr.fleet.chaos.faults", FleetTrouble.values().length);
  private final long seed =
      Long.getLong("hdr.fleet.chaos.seed", new SecureRandom().nextInt(1 << 30));
  private final Path folder =
      Path.of("target", "chaos", Long.toString(seed)).toAbsolutePath().normalize();

  @Test
  void countsOfTheFleet_afterRandomFaults_areThoseRecorded() throws Exception {
    System.out.printf("fleet chaos: -Dhdr.fleet.chaos.seed=%d faults=%d begin%n", seed, faults);
    KAFKA.setLevel(Level.WARNING);
    delete(folder);
    Files.createDirectories(folder);
    List<FleetTrouble> schedule = FleetTrouble.schedule(seed, faults);
    FleetJudge.Verdict verdict = new FleetJudge.Verdict(0, 0, 0, List.of("broke off"));
    int done = 0;
    try (TroubledFleet fleet = new TroubledFleet(seed, folder)) {
      FleetJudge judge = new FleetJudge(fleet);
      TroubleMaker maker = new TroubleMaker(fleet, seed);
      for (FleetTrouble trouble : schedule) {
        long begun = System.nanoTime();
        String what = maker.apply(trouble);
        done++;
        System.out.printf(
            "fleet chaos: %d %s %s, %d ms%n",
            done, trouble, what, (System.nanoTime() - begun) / 1_000_000);
      }
      verdict = judge.judge();
      assertThat(verdict.differences()).as("at the end").isEmpty();
      fleet.killAllNodes();
      verdict = judge.judge();
      assertThat(verdict.differences()).as("after a last kill -9 of all nodes").isEmpty();
      System.out.println(
          "fleet chaos: starts that failed, as the broker was away: " + fleet.failedStarts());
    } finally {
      System.out.printf(
          "fleet chaos: seed=%d faults=%d (%s) recorded=%d lost=%d doubled=%d%n",
          seed,
          done,
          byKind(schedule.subList(0, done)),
          verdict.recorded(),
          verdict.lost(),
          verdict.doubled());
    }
    delete(folder);
  }

  private static String byKind(List<FleetTrouble> troubles) {
    Map<FleetTrouble, Long> counts =
        troubles.stream()
            .collect(Collectors.groupingBy(t -> t, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(e -> e.getKey().name().toLowerCase(Locale.ROOT) + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}

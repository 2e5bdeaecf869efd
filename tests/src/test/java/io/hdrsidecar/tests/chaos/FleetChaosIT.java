package io.hdrsidecar.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to clients, to the sidecars they send to, and to the one above those, each value
 * recorded is exposed above once.
 *
 * <p>{@code -Dhdr.fleet.faults=300} for more faults, {@code -Dhdr.fleet.seed=N} for those of a run
 * before. What a failed run leaves is in {@code target/fleet/<seed>}.
 */
final class FleetChaosIT {
  private static final int MOST_DIFFERENCES_SHOWN = 20;

  private final int faults = Integer.getInteger("hdr.fleet.faults", 6);
  private final long seed = Long.getLong("hdr.fleet.seed", new SecureRandom().nextInt(1 << 30));
  private final Path folder = Path.of("target", "fleet", Long.toString(seed)).toAbsolutePath();

  @Test
  void countsAbove_afterRandomFaults_areThoseRecorded() throws Exception {
    List<FleetFault> schedule = FleetFault.of(seed, faults);
    int kills =
        (int) schedule.stream().filter(f -> f.kind() == FleetFault.Kind.KILL_CLIENT).count();
    System.out.println("fleet: seed=" + seed + " faults=" + faults + " begin");
    ChaosTrial.delete(folder);
    Files.createDirectories(folder);
    List<Verdict> outcome = List.of();
    try (FleetRun run = new FleetRun(seed, kills, folder)) {
      run.execute(schedule);
      outcome = run.judge();
      expectNothing("at the end", outcome);
      run.replay();
      outcome = run.judge();
      expectNothing("after a last kill -9 of all and replay", outcome);
    } finally {
      System.out.println("fleet: seed=" + seed + " faults=" + faults + " " + outcome);
    }
    ChaosTrial.delete(folder);
  }

  private static void expectNothing(String when, List<Verdict> verdicts) {
    for (Verdict verdict : verdicts) {
      assertThat(verdict.differences().stream().limit(MOST_DIFFERENCES_SHOWN))
          .as("%s; %s", when, verdict)
          .isEmpty();
    }
  }
}

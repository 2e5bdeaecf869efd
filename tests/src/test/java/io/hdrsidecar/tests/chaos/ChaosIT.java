package io.hdrsidecar.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to processes and connections, each value recorded is exposed once.
 *
 * <p>{@code -Dhdr.chaos.faults=3000} for more faults, {@code -Dhdr.chaos.seed=N} for those of a run
 * before. What a failed run leaves is in {@code target/chaos/<seed>}: the schedule, journal, truth
 * files, the logs of every process, and all differences.
 */
final class ChaosIT {
  private static final int MOST_DIFFERENCES_SHOWN = 20;

  private final int faults = Integer.getInteger("hdr.chaos.faults", 300);
  private final long seed = Long.getLong("hdr.chaos.seed", new SecureRandom().nextInt(1 << 30));
  private final Path folder = Path.of("target", "chaos", Long.toString(seed)).toAbsolutePath();

  @Test
  void exposedCounts_afterRandomFaults_areThoseRecorded() throws Exception {
    System.out.println("chaos: seed=" + seed + " faults=" + faults + " begin");
    delete(folder);
    Files.createDirectories(folder.resolve("journal"));
    Files.createDirectories(folder.resolve(ChaosClient.SPILL_FOLDER));
    FaultSchedule schedule = FaultSchedule.of(seed, faults);
    Files.writeString(folder.resolve("schedule.txt"), schedule.toString());

    String outcome = "unknown, the run broke off";
    try (ChaosRun run = new ChaosRun(schedule, folder)) {
      try {
        run.execute();
        Verdict atEnd = run.judge();
        outcome = atEnd.toString();
        expectNothing("at the end", atEnd);
        run.replay();
        Verdict replayed = run.judge();
        outcome = replayed.toString();
        expectNothing("after a last kill -9 and replay", replayed);
      } finally {
        System.out.println(
            "chaos: seed="
                + seed
                + " faults="
                + run.done().size()
                + " ("
                + FaultSchedule.byKind(run.done())
                + ") "
                + outcome);
      }
    }
    delete(folder);
  }

  private void expectNothing(String when, Verdict verdict) throws IOException {
    List<String> differences = verdict.differences();
    Files.write(folder.resolve("differences.txt"), differences);
    assertThat(differences.stream().limit(MOST_DIFFERENCES_SHOWN))
        .as(
            "%s, %d differences in %s; %s",
            when, differences.size(), folder.resolve("differences.txt"), verdict)
        .isEmpty();
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(ChaosIT::deleteFile);
      }
    }
  }

  private static void deleteFile(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

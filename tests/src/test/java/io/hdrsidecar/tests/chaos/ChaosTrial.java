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

/**
 * A run of random faults and what comes of it.
 *
 * <p>{@code -Dhdr.chaos.faults=3000} for more faults, {@code -Dhdr.chaos.seed=N} for those of a run
 * before. What a failed run leaves is in {@code target/chaos/<programs>-<seed>}: the schedule,
 * journal, truth files, the logs of every process, and all differences.
 */
final class ChaosTrial {
  private static final int MOST_DIFFERENCES_SHOWN = 20;

  private final long seed = Long.getLong("hdr.chaos.seed", new SecureRandom().nextInt(1 << 30));
  private final List<ClientProgram> programs;
  private final String slots;
  private final Path folder;

  private ChaosTrial(List<ClientProgram> programs) {
    this.programs = programs;
    this.slots = String.join("", programs.stream().map(ClientProgram::slot).toList());
    this.folder = Path.of("target", "chaos", slots + "-" + seed).toAbsolutePath();
  }

  /**
   * Expects that these programs lose and double nothing.
   *
   * @param faults how many, unless {@code -Dhdr.chaos.faults} says another number
   */
  static void of(int faults, List<ClientProgram> programs) throws Exception {
    new ChaosTrial(programs).run(Integer.getInteger("hdr.chaos.faults", faults));
  }

  private void run(int faults) throws Exception {
    String start = "chaos: programs=" + slots + " seed=" + seed + " faults=";
    System.out.println(start + faults + " begin");
    delete(folder);
    Files.createDirectories(folder.resolve("journal"));
    Files.createDirectories(folder.resolve(ChaosClient.SPILL_FOLDER));
    FaultSchedule schedule = FaultSchedule.of(seed, faults, programs.size());
    Files.writeString(folder.resolve("schedule.txt"), schedule.toString());

    String outcome = "unknown, the run broke off";
    try (ChaosRun run = new ChaosRun(schedule, programs, folder)) {
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
        List<Fault> done = run.done();
        System.out.println(
            start + done.size() + " (" + FaultSchedule.byKind(done) + ") " + outcome);
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
        files.sorted(Comparator.reverseOrder()).forEach(ChaosTrial::deleteFile);
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

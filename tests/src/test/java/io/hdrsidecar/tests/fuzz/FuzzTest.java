package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the fuzz tests are there to find is found. */
class FuzzTest {
  @Test
  void run_targetThrows_namesTheSeedThatRepeatsIt() {
    assertThatThrownBy(
            () ->
                Fuzz.runRounds(
                    "thrower",
                    10_000,
                    (random, tally) -> {
                      if (random.nextInt(50) == 7) {
                        throw new IllegalStateException("found");
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("thrower: -Dhdr\\.fuzz\\.seed=-?\\d+: .*found");
  }

  @Test
  void secondsOf_textWithATargetsOwn_givesThoseToItAlone() {
    String text = "15,otlp=60,statsd=0.5";

    assertThat(Fuzz.secondsOf(text, "otlp")).isEqualTo(60);
    assertThat(Fuzz.secondsOf(text, "statsd")).isEqualTo(0.5);
    assertThat(Fuzz.secondsOf(text, "http")).isEqualTo(15);
    assertThat(Fuzz.secondsOf("600", "otlp")).isEqualTo(600);
  }

  @Test
  void run_targetKeepsSomeBytesOfEachInput_fails() {
    List<byte[]> kept = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Fuzz.runRounds(
                    "hoarder",
                    50_000,
                    (random, tally) -> {
                      tally.add(random.nextBoolean());
                      kept.add(new byte[100]);
                    }))
        .hasMessageContaining("stay flat, with 50000 rounds between");
    assertThat(kept).hasSize(250_000); // and reachable until here
  }

  /** Full only after the warm-up; all that is held is more than may be added. */
  @Test
  void run_targetFillsABoundedMemory_isNotTakenForALeak() {
    Deque<byte[]> latest = new ArrayDeque<>();
    Fuzz.runRounds(
        "filler",
        20_000,
        (random, tally) -> {
          tally.add(random.nextBoolean());
          latest.add(new byte[300]);
          if (latest.size() > 30_000) {
            latest.remove();
          }
        });
    assertThat(latest).hasSize(30_000);
  }

  @Test
  void run_targetKeepsFilesOpen_fails(@TempDir Path folder) throws Exception {
    List<InputStream> open = new ArrayList<>();
    Path file = Files.createFile(folder.resolve("file"));
    try {
      assertThatThrownBy(
              () ->
                  Fuzz.runRounds(
                      "opener",
                      50,
                      (random, tally) -> {
                        tally.add(random.nextBoolean());
                        open.add(new FileInputStream(file.toFile()));
                      }))
          .hasMessageContaining("stay flat");
    } finally {
      for (InputStream in : open) {
        in.close();
      }
    }
  }

  @Test
  void run_targetTakesEverything_failsSinceNothingWasRefused() {
    assertThatThrownBy(() -> Fuzz.runRounds("taker", 50, (random, tally) -> tally.accepted()))
        .hasMessageContaining("inputs refused");
  }
}

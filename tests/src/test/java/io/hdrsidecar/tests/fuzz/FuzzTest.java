package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the fuzz tests are there to find is found. */
class FuzzTest {
  @Test
  void run_targetThrows_namesTheSeedThatRepeatsIt() {
    assertThatThrownBy(
            () ->
                Fuzz.run(
                    "thrower",
                    1,
                    (random, tally) -> {
                      if (random.nextInt(50) == 7) {
                        throw new IllegalStateException("found");
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("thrower: -Dhdr\\.fuzz\\.seed=-?\\d+: .*found");
  }

  @Test
  void run_targetKeepsMemory_fails() {
    List<byte[]> kept = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Fuzz.run(
                    "hoarder",
                    0.2,
                    Duration.ZERO,
                    (random, tally) -> {
                      tally.add(random.nextBoolean());
                      if (kept.size() < 64) {
                        kept.add(new byte[1 << 20]);
                        Thread.sleep(2);
                      }
                    }))
        .hasMessageContaining("stay flat");
  }

  @Test
  void run_targetKeepsFilesOpen_fails(@TempDir Path folder) throws Exception {
    List<InputStream> open = new ArrayList<>();
    Path file = Files.createFile(folder.resolve("file"));
    try {
      assertThatThrownBy(
              () ->
                  Fuzz.run(
                      "opener",
                      0.2,
                      Duration.ZERO,
                      (random, tally) -> {
                        tally.add(random.nextBoolean());
                        if (open.size() < 500) {
                          open.add(new FileInputStream(file.toFile()));
                          Thread.sleep(1);
                        }
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
    assertThatThrownBy(() -> Fuzz.run("taker", 0.05, (random, tally) -> tally.accepted()))
        .hasMessageContaining("inputs refused");
  }
}

package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.testing.SpillFileOfMany;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that this process has no memory for is the sidecar's: no part of it is sent. */
class SpillReplayTest {
  /** Their definitions take 9 MiB, and the file less than what a client reads. */
  private static final int SERIES = 5_000;

  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void run_onMoreSeriesThanFitIntoMemory_leavesTheFileWhereItIs() throws Exception {
    SendLoopHarness harness =
        new SendLoopHarness("unix://" + directory.resolve("nobody.sock"), Duration.ofSeconds(1));
    Labels labels = Labels.of("uri", "/a/long/path".repeat(60));
    Path file = SpillFileOfMany.write(directory, labels, SERIES, SERIES);
    assertThat(file.toFile().length()).isLessThan(SpillReplay.MAX_FILE_BYTES);

    SpillReplay replay = new SpillReplay(file, harness.config(), harness.log());
    try (SpillClaim claim = new SpillFolder(directory).claim().orElseThrow()) {
      replay.run(claim, () -> false);
    }

    assertThat(file).exists();
    assertThat(harness.logged())
        .anyMatch(line -> line.contains("left to the sidecar") && line.contains("its series take"));
  }
}

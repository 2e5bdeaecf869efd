package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recorder's races under jcstress, in its shortest mode: enough to find a protocol that is
 * broken, not to trust one. {@code tests/stress/RESULTS.md} has the long one.
 */
class StressIT {
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void jcstress_shortestMode_findsNothingForbidden(@TempDir Path folder) throws Exception {
    File output = folder.resolve("output.txt").toFile();
    Process process =
        new ProcessBuilder(
                List.of(
                    Launch.java().toString(),
                    "-jar",
                    Path.of("target", "jcstress.jar").toAbsolutePath().toString(),
                    "-m",
                    "sanity",
                    "-r",
                    folder.resolve("report").toString()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      int exit = process.waitFor();
      String printed = Files.readString(output.toPath());
      assertThat(exit).as(printed).isZero();
      assertThat(printed)
          .containsPattern(
              "\\(Results: ([1-9]\\d*) planned; \\1 passed, 0 failed, 0 soft errs, 0 hard errs\\)")
          .contains("10 matching test results");
    } finally {
      process.destroyForcibly();
    }
  }
}

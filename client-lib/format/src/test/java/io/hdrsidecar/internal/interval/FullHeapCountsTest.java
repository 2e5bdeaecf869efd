package io.hdrsidecar.internal.interval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FullHeapCountsTest {
  @Test
  void add_withoutMemoryForOneOfItsPages_addsNothingToTheOthers()
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FullHeapCounts.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("refused=2 8{3=5, 300=1, 20000=2}");
    assertThat(output).contains("then=1048593{3=12, 4=1, 300=1048577, 10000=1, 20000=2}");
  }
}

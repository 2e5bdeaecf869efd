package io.hdrsidecar.internal.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FullHeapTest {
  @Test
  void recordAndHarvest_withoutMemory_throwNothingAndCountWhatIsLost()
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FullHeap.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    long sum = 1 + 2 + 1;
    for (int i = 0; i < FullHeap.KEPT_VALUES; i++) {
      sum += FullHeap.value(i);
    }
    assertThat(output)
        .contains(
            "lost=%d movedWithoutRoom=0 moved=%d sum=%d max=%d"
                .formatted(
                    FullHeap.VALUES - FullHeap.KEPT_VALUES,
                    1 + 2 + 1 + FullHeap.KEPT_VALUES,
                    sum,
                    FullHeap.value(FullHeap.KEPT_VALUES - 1)));
  }
}

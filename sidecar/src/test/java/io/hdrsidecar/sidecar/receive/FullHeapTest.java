package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An interval and its number are counted and settled together, wherever memory ends between. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FullHeapTest {
  private static final Pattern REPORT =
      Pattern.compile("sent=(\\d+) counted=(\\d+) failed_unsettled=(\\d+) failed_settled=(\\d+)");

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2})
  void receive_intoAFullHeap_countsEachIntervalOnceWhereverMemoryEnds(long seed) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx20m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FullHeapClient.class.getName(),
                Long.toString(seed),
                "50")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    Matcher report = REPORT.matcher(output);
    assertThat(report.find()).as(output).isTrue();
    assertThat(process.waitFor()).isZero();
    assertThat(report.group(2)).as(output).isEqualTo(report.group(1));
    assertThat(Integer.parseInt(report.group(3))).as("struck before it was settled").isPositive();
    assertThat(Integer.parseInt(report.group(4))).as("struck after it was settled").isPositive();
  }
}

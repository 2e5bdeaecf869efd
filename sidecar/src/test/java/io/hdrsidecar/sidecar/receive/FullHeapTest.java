package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.util.List;
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
    JavaProgram.Ended ended =
        JavaProgram.run(List.of("-Xmx20m"), FullHeapClient.class, Long.toString(seed), "50");
    String output = ended.output();

    Matcher report = REPORT.matcher(output);
    assertThat(report.find()).as(output).isTrue();
    assertThat(ended.exitCode()).isZero();
    assertThat(report.group(2)).as(output).isEqualTo(report.group(1));
    assertThat(Integer.parseInt(report.group(3))).as("struck before it was settled").isPositive();
    assertThat(Integer.parseInt(report.group(4))).as("struck after it was settled").isPositive();
  }
}

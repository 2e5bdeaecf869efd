package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a sidecar does for a whole day, the log of the application stays readable. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LogLimitTest {
  @TempDir Path directory = Path.of("set by JUnit");

  private static final int FLAPS = 100;
  private static final Pattern LEFT_OUT = Pattern.compile("left out before: (\\d+)\\)");

  @Test
  void connections_lostAgainAndAgain_areBoundedAndCounted() throws IOException {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("s.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1));
      SeriesRecorder recorder = harness.series("calls");
      for (int flap = 1; flap <= FLAPS; flap++) {
        harness.pass(Duration.ofMillis(200), Duration.ofMillis(100)); // as it has delivered
        harness.turnUntil("connection", () -> harness.figures().connected());
        recorder.record(1000);
        long values = flap;
        harness.pass(Duration.ofSeconds(1), Duration.ofMillis(100));
        harness.turnUntil(
            "delivery", () -> harness.figures().of(ClientFigure.ACKNOWLEDGED_VALUES) == values);
        if (flap == FLAPS) {
          harness.pass(Duration.ofSeconds(30), Duration.ofMillis(100)); // room for one line more
        }
        peer.stop();
        harness.turnUntil("loss", () -> !harness.figures().connected());
        peer.start();
      }

      long seconds = TimeUnit.NANOSECONDS.toSeconds(harness.nanos());
      assertThat(harness.logged().size()).isBetween(20, 21 + (int) (seconds / 10));
      assertThat(harness.logged().size()).isLessThan(FLAPS);
      assertThat(harness.logged().size() + leftOut(harness.logged())).isEqualTo(2 * FLAPS);
    }
  }

  private static long leftOut(List<String> logged) {
    return logged.stream()
        .flatMap(line -> LEFT_OUT.matcher(line).results())
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }
}

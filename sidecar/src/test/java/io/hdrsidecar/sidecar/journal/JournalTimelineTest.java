package io.hdrsidecar.sidecar.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalTimelineTest {
  private static final long DAY = 86_400_000;

  private final JournalTimeline timeline = new JournalTimeline();

  private long millisAt(long wall, long uptime, String boot) {
    timeline.at(new WrittenTime(wall, uptime, boot));
    return timeline.nanos() / 1_000_000;
  }

  @Test
  void at_sameStartOfTheMachine_goesByItsUptime() {
    assertThat(millisAt(1_000, 500, "a")).isZero();
    assertThat(millisAt(1_000 + 10 * DAY, 700, "a")).isEqualTo(200);
    assertThat(millisAt(1_000 - 10 * DAY, 1_700, "a")).isEqualTo(1_200);
    assertThat(millisAt(1_000, 1_600, "a")).isEqualTo(1_200); // the file before the checkpoint
    assertThat(millisAt(1_000, 1_800, "a")).isEqualTo(1_300);
  }

  @Test
  void at_otherStarts_goesByTheWallClockAndNoTimeTwice() {
    assertThat(millisAt(100 * DAY, 500, "a")).isZero();
    assertThat(millisAt(100 * DAY + 5_000, 100, "b")).isEqualTo(5_000);
    assertThat(millisAt(90 * DAY, 100, "c")).isEqualTo(5_000);
    assertThat(millisAt(90 * DAY, 1_100, "c")).isEqualTo(6_000);
    assertThat(millisAt(100 * DAY + 7_000, 50, "d")).isEqualTo(8_000);
  }

  @Test
  void at_nobodyKnowsTheUptime_goesByTheWallClock() {
    assertThat(millisAt(1_000, 0, "")).isZero();
    assertThat(millisAt(3_000, 0, "")).isEqualTo(2_000);
    assertThat(millisAt(3_000 - DAY, 0, "")).isEqualTo(2_000);
    assertThat(millisAt(4_000, 0, "")).isEqualTo(3_000);
  }

  @ParameterizedTest
  @CsvSource({
    "12345.67 99.00, 12345670, true",
    "0.00 0.00, 0, true",
    "never, 0, false",
    "-1.00 0.00, 0, false",
  })
  void uptime_ofLinux_isReadOrUnknown(String text, long millis, boolean known, @TempDir Path folder)
      throws IOException {
    Path uptime = Files.writeString(folder.resolve("uptime"), text + "\n");
    String boot = "01234567-89ab-cdef-0123-456789abcdef";
    Path bootId = Files.writeString(folder.resolve("boot_id"), boot + "\n");

    assertThat(Uptime.read(uptime, bootId)).isEqualTo(new Uptime(millis, known ? boot : ""));
    assertThat(Uptime.read(uptime, folder.resolve("none"))).isEqualTo(Uptime.UNKNOWN);
  }
}

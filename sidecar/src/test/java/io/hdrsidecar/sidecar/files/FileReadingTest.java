package io.hdrsidecar.sidecar.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.PastInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which intervals of files are in a range. */
class FileReadingTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private static List<Long> starts(FileSeries series, long from, long to) {
    try (FileReading reading = new FileReading(List.of(series), 3, from, to)) {
      return reading.intervals(series.past(), Map.of(), 10).stream()
          .map(PastInterval::startMillis)
          .toList();
    }
  }

  /** As memory sees it: a moment is in the range that begins with it, and not in the one before. */
  @Test
  void intervals_withoutLengthAtBoundsOfRange_areInTheOneThatBeginsThere() throws IOException {
    Path log = Files.createFile(folder.resolve("log.hlog"));
    LogFileBytes file = LogFileBytes.open("log.hlog", log);
    FileSeries moments = new FileSeries(new SeriesKey("calls", Labels.empty()), Unit.NANOSECONDS);
    moments.lane(file, BucketLayout.of(1, 3)).add(1000, 1000, 0, 1, 1);
    moments.lane(file, BucketLayout.of(1, 2)).add(2000, 2000, 0, 1, 2);
    moments.lane(file, BucketLayout.of(1, 1)).add(500, 1000, 0, 1, 3);

    assertThat(starts(moments, 1000, 2000)).containsExactly(1000L);
    assertThat(starts(moments, 2000, 3000)).containsExactly(2000L);
    assertThat(starts(moments, 0, 1000)).containsExactly(500L);
    assertThat(starts(moments, 2001, 3000)).isEmpty();
    file.close();
  }
}

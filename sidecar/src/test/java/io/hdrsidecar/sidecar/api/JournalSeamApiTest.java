package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.api.JournalHistoryApiTest.HISTOGRAM;
import static io.hdrsidecar.sidecar.api.JournalHistoryApiTest.buckets;
import static io.hdrsidecar.sidecar.api.JournalHistoryApiTest.eventually;
import static io.hdrsidecar.sidecar.api.JournalHistoryApiTest.tenths;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.JournalText;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where memory and journal meet, when not all goes well: more series in the files than may be
 * known, more intervals than may be read. Expected is what HdrHistogram's own reader finds in the
 * files.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JournalSeamApiTest {
  /** Seconds around all that is uploaded, also by a sidecar that started in the minute before. */
  private static final double FROM = -100.05;

  private static final double TO = 550.05;

  @TempDir Path folder = Path.of("set by JUnit");

  private UploadedSidecar start(String... more) throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--journal-directory", folder.toString());
    flags.put("--journal-rotate-size", "64KiB");
    flags.put("--journal-flush", "5ms");
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    return new UploadedSidecar(flags);
  }

  /** Leaves behind a journal in which these series have ended. */
  private void leaveEnded(String... targets) throws Exception {
    try (UploadedSidecar before =
        start("--history-max-memory", "0B", "--series-idle-expiry", "1s")) {
      for (int i = 0; i < targets.length; i++) {
        before.upload(targets[i], tenths(i, 0, 300));
      }
      eventually(() -> before.data("/api/v1/status").getInteger("series") == 0);
    }
  }

  private JournalText.Found inFiles(String tag) throws Exception {
    return JournalText.read(folder, each -> each.startsWith(tag), 0, Long.MAX_VALUE);
  }

  @Test
  void histogram_moreSeriesInJournalThanAreKnown_hasAllOfOneThatLives() throws Exception {
    leaveEnded("name=first&unit=ns", "name=second&unit=ns");
    try (UploadedSidecar sidecar = start("--series-max", "1", "--history-max-memory", "1MiB")) {
      for (String known : List.of("first", "second")) {
        eventually(
            () -> sidecar.get(HISTOGRAM + known + sidecar.between(FROM, TO)).statusCode() == 200);
      }
      sidecar.upload("name=calls&unit=ns", tenths(4, 0, 5000));

      JsonObject envelope = sidecar.envelope(HISTOGRAM + "calls" + sidecar.between(FROM, TO));

      assertThat(envelope.getJsonArray("warnings").encode())
          .contains("more than 2 series", "a series that has ended may be missing");
      JsonObject data = envelope.getJsonObject("data");
      assertThat(data.getLong("count")).isEqualTo(5000 * 200);
      assertThat(buckets(data)).isEqualTo(inFiles("calls").counts());
      assertThat(data.getJsonObject("covered").getInteger("intervals")).isEqualTo(5000);
      assertThat(data.getJsonObject("covered").getDouble("resolutionSeconds")).isEqualTo(0.1);
    }
  }

  @Test
  void histogram_memoryAndOlderInJournalAreTooManyTogether_takesMemoryCoarserAndTheOlder()
      throws Exception {
    leaveEnded("name=calls&unit=ns&label.host=ended");
    try (UploadedSidecar sidecar =
        start("--history-max-memory", "1MiB", "--query-max-intervals", "5100")) {
      sidecar.upload("name=calls&unit=ns&label.host=lives", tenths(4, 0, 5000));
      eventually(
          () ->
              sidecar
                  .get(HISTOGRAM + "calls" + sidecar.between(FROM, TO))
                  .body()
                  .contains("host=\\\"ended"));

      JsonObject data = sidecar.data(HISTOGRAM + "calls" + sidecar.between(FROM, TO));

      JournalText.Found inFiles = inFiles("calls");
      assertThat(inFiles.lines()).as("more than may be read").isEqualTo(5300);
      assertThat(data.getLong("count")).isEqualTo(5300 * 200);
      assertThat(buckets(data)).isEqualTo(inFiles.counts());
      assertThat(data.getJsonObject("covered").getInteger("intervals")).isBetween(301, 4800);
      assertThat(data.getJsonObject("covered").getDouble("resolutionSeconds")).isGreaterThan(0.15);
    }
  }
}

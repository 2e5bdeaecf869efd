package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The last line of {@code format=hgrm} states the range that was configured, as HdrHistogram's own
 * tools state it, not how much of it the values have come to use.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class HgrmRangeTest {
  private static final String JHICCUP = "jHiccup-2.0.7S.logV2.hlog";
  private static final String TAGGED = "tagged-Log.logV2.hlog";
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private static byte[] fixture(String name) throws IOException {
    try (InputStream in = HgrmRangeTest.class.getResourceAsStream("/hlog/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  /** All intervals without a tag, added up in a histogram with the range of the first. */
  private static Histogram added(String log) throws IOException {
    Histogram sum = null;
    try (HistogramLogReader reader =
        new HistogramLogReader(new ByteArrayInputStream(fixture(log)))) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next instanceof Histogram histogram && histogram.getTag() == null) {
          if (sum == null) {
            sum = new Histogram(histogram);
          }
          sum.add(histogram);
        }
      }
    }
    return Objects.requireNonNull(sum);
  }

  private static String range(Histogram histogram) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    histogram.outputPercentileDistribution(
        new PrintStream(text, true, StandardCharsets.UTF_8), 1.0);
    return range(text.toString(StandardCharsets.UTF_8));
  }

  private static String range(String hgrm) {
    return hgrm.lines()
        .filter(line -> line.startsWith("#[Buckets"))
        .reduce((a, b) -> a + b)
        .orElseThrow();
  }

  private static String range(UploadedSidecar sidecar, String series) throws Exception {
    HttpResponse<String> answer =
        sidecar.get("/api/v1/histogram?format=hgrm&series=" + UploadedSidecar.encoded(series));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return range(answer.body());
  }

  private static void upload(UploadedSidecar to, String log) throws Exception {
    HttpResponse<String> answer = to.post("/api/v1/intervals?name=calls&unit=ns", fixture(log));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {JHICCUP, TAGGED})
  void hgrm_ofAnUploadedLog_statesTheRangeOfItsHistograms(String log) throws Exception {
    try (UploadedSidecar sidecar = new UploadedSidecar(Map.of())) {
      upload(sidecar, log);

      assertThat(range(sidecar, "calls{tag=\"\"}")).isEqualTo(range(added(log)));
    }
  }

  @Test
  void hgrm_afterAnUploadOfAWiderRange_statesTheWidest() throws Exception {
    try (UploadedSidecar sidecar = new UploadedSidecar(Map.of())) {
      upload(sidecar, JHICCUP);
      sidecar.upload("name=calls&unit=ns", List.of(new Interval(0, 1, 5)));
      upload(sidecar, JHICCUP);

      assertThat(range(sidecar, "calls")).isEqualTo(range(UploadedSidecar.histogram()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {JHICCUP, TAGGED})
  void hgrm_afterARestart_statesTheSame(String log, @TempDir Path journal) throws Exception {
    Map<String, String> flags = Map.of("--journal-directory", journal.toString());
    try (UploadedSidecar sidecar = new UploadedSidecar(flags)) {
      upload(sidecar, log);
    }
    try (UploadedSidecar sidecar = new UploadedSidecar(flags)) { // reads the intervals
      assertThat(range(sidecar, "calls{tag=\"\"}")).isEqualTo(range(added(log)));
      awaitCheckpoint(journal);
    }
    try (UploadedSidecar sidecar = new UploadedSidecar(flags)) { // reads the checkpoint
      assertThat(range(sidecar, "calls{tag=\"\"}")).isEqualTo(range(added(log)));
    }
  }

  /** A sidecar that has replayed intervals makes one; until the class's time-out. */
  private static void awaitCheckpoint(Path journal) throws IOException {
    boolean found = false;
    while (!found) {
      LockSupport.parkNanos(20_000_000);
      try (Stream<Path> files = Files.list(journal)) {
        found = files.anyMatch(file -> file.getFileName().toString().matches("checkpoint.*hlog"));
      }
    }
  }

  @Test
  void restart_withFewerCountersThanConfigured_keepsTheCountsOfTheCheckpoint(@TempDir Path journal)
      throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--journal-directory", journal.toString());
    try (UploadedSidecar sidecar = new UploadedSidecar(flags)) {
      upload(sidecar, JHICCUP);
    }
    try (UploadedSidecar sidecar = new UploadedSidecar(flags)) {
      assertThat(range(sidecar, "calls")).isEqualTo(range(added(JHICCUP)));
      awaitCheckpoint(journal);
    }
    Histogram sum = added(JHICCUP);
    Histogram inUse =
        new Histogram(
            sum.getLowestDiscernibleValue(),
            sum.getMaxValue(),
            sum.getNumberOfSignificantValueDigits());
    inUse.add(sum);

    flags.put("--series-max-counters", "2000");
    try (UploadedSidecar sidecar = new UploadedSidecar(flags)) {
      assertThat(sidecar.data("/api/v1/histogram?series=calls").getLong("count"))
          .isEqualTo(sum.getTotalCount());
      assertThat(range(sidecar, "calls")).isEqualTo(range(inUse));
    }
  }

  @Test
  void hgrm_ofAClientsSeries_statesTheRangeOfItsRecorder() throws Exception {
    try (UploadedSidecar sidecar = new UploadedSidecar(Map.of())) {
      ClientConfig config = ClientConfig.builder().address(sidecar.ingestAddress()).build();
      try (HdrSidecarClient client = HdrSidecarClient.create(config)) {
        client.recorder("pay", Labels.of("route", "/pay")).record(Duration.ofMillis(4));
      } // which delivers

      assertThat(range(sidecar, "pay")).isEqualTo(range(new Histogram(1, HOUR, 3)));
    }
  }
}

package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranges of the history over HTTP, held against the sorted list of what was recorded and against
 * HdrHistogram.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class HistoryApiTest extends TwoHosts {
  private static final String HISTOGRAM = "/api/v1/histogram?series=calls";
  private static final String PERCENTILES = "/api/v1/percentiles?series=calls";
  private static final String HEATMAP = "/api/v1/heatmap?series=calls";

  HistoryApiTest() throws Exception {}

  private static Histogram recorded(long[] values) {
    Histogram histogram = histogram();
    Arrays.stream(values).forEach(histogram::recordValue);
    return histogram;
  }

  /** By rank in the sorted list, as the highest value of its bucket. */
  private static long percentile(long[] sorted, double percentile) {
    int rank = (int) Math.max(1, Math.ceil(Math.nextDown(percentile) * sorted.length / 100));
    return histogram().highestEquivalentValue(sorted[rank - 1]);
  }

  private static Histogram fromBuckets(JsonArray buckets) {
    Histogram histogram = histogram();
    for (int i = 0; i < buckets.size(); i++) {
      JsonObject bucket = buckets.getJsonObject(i);
      histogram.recordValueWithCount(bucket.getLong("highest"), bucket.getLong("count"));
    }
    return histogram;
  }

  @Test
  void histogram_overARange_isTheSumOfItsIntervals() throws Exception {
    long[] expected = values(5, 25);

    JsonObject envelope =
        sidecar.envelope(HISTOGRAM + "&buckets=true&percentiles=50,99.9" + sidecar.between(5, 25));

    JsonObject data = envelope.getJsonObject("data");
    assertThat(data.getLong("count")).isEqualTo(expected.length).isEqualTo(1000);
    assertThat(fromBuckets(data.getJsonArray("buckets"))).isEqualTo(recorded(expected));
    JsonArray percentiles = data.getJsonArray("percentiles");
    assertThat(percentiles.getJsonObject(0).getLong("value")).isEqualTo(percentile(expected, 50));
    assertThat(percentiles.getJsonObject(1).getLong("value")).isEqualTo(percentile(expected, 99.9));
    assertThat(data.getJsonObject("range"))
        .isEqualTo(new JsonObject().put("start", sidecar.at(5)).put("end", sidecar.at(25)));
    assertCovered(data, 5, 25, 20, 1);
    assertThat(data.getValue("corrected")).isNull();
    assertThat(data.containsKey("window")).isFalse();
    assertThat(envelope.containsKey("warnings")).isFalse();
  }

  private void assertCovered(JsonObject data, int from, int to, int intervals, double resolution) {
    JsonObject covered = data.getJsonObject("covered");
    assertThat(covered.getString("start")).isEqualTo(sidecar.at(from));
    assertThat(covered.getString("end")).isEqualTo(sidecar.at(to));
    assertThat(covered.getInteger("intervals")).isEqualTo(intervals);
    assertThat(covered.getDouble("resolutionSeconds")).isEqualTo(resolution);
  }

  @Test
  void histogram_rangeThatCutsIntervals_hasThemWholeAndSaysSo() throws Exception {
    JsonObject envelope = sidecar.envelope(HISTOGRAM + sidecar.between(5.5, 7.5));

    assertCovered(envelope.getJsonObject("data"), 5, 8, 6, 1);
    assertThat(envelope.getJsonObject("data").getLong("count")).isEqualTo(300);
    assertThat(envelope.getJsonArray("warnings")).hasSize(1);
    assertThat(envelope.getJsonArray("warnings").getString(0))
        .contains(sidecar.at(5) + " to " + sidecar.at(8));
  }

  @Test
  void histogram_relativeTimes_areBeforeNow() throws Exception {
    JsonObject all = sidecar.envelope(HISTOGRAM + "&start=-20m&end=now-8m");
    JsonObject none = sidecar.envelope(HISTOGRAM + "&start=-8m&end=now");

    assertThat(all.getJsonObject("data").getLong("count")).isEqualTo(2000);
    assertThat(all.getJsonArray("warnings").getString(0)).startsWith("nothing is kept from before");
    assertThat(none.getJsonObject("data").getLong("count")).isZero();
    assertThat(none.getJsonObject("data").getJsonObject("covered").getValue("start")).isNull();
    assertThat(none.getJsonArray("warnings").getString(0)).contains("does not reach back");
  }

  @Test
  void histogram_asText_isWhatHdrHistogramWrites() throws Exception {
    Histogram recorded = recorded(values(5, 25));
    String range = sidecar.between(5, 25);

    for (boolean csv : new boolean[] {false, true}) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      recorded.outputPercentileDistribution(
          new PrintStream(text, true, StandardCharsets.UTF_8), 5, 1e6, csv);
      HttpResponse<String> answer =
          sidecar.get(HISTOGRAM + range + "&ratio=1000000&format=" + (csv ? "csv" : "hgrm"));
      assertThat(answer.body()).isEqualTo(text.toString(StandardCharsets.UTF_8));
      assertThat(answer.headers().firstValue("Hdr-Sidecar-Covered"))
          .contains(sidecar.at(5) + "/" + sidecar.at(25));
      assertThat(answer.headers().firstValue("Hdr-Sidecar-Corrected")).isEmpty();
    }
    byte[] v2 = Base64.getDecoder().decode(sidecar.get(HISTOGRAM + range + "&format=v2").body());
    assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(v2), 0))
        .isEqualTo(recorded);
  }

  @Test
  void histogram_asLog_isReadByHdrHistogramWithItsTimes() throws Exception {
    String log = sidecar.get(HISTOGRAM + sidecar.between(5, 25) + "&format=hlog").body();

    HistogramLogReader reader =
        new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.US_ASCII)));
    Histogram read = (Histogram) reader.nextIntervalHistogram();
    assertThat(read).isEqualTo(recorded(values(5, 25)));
    assertThat(read.getStartTimeStamp()).isEqualTo(sidecar.origin + 5_000);
    assertThat(read.getEndTimeStamp()).isEqualTo(sidecar.origin + 25_000);
    assertThat(reader.nextIntervalHistogram()).isNull();
  }

  @Test
  void percentiles_byStep_areThoseOfTheSortedValues() throws Exception {
    JsonObject data =
        sidecar.data(PERCENTILES + "&step=10s&percentiles=50,99,100" + sidecar.between(3, 40));

    JsonArray steps = data.getJsonArray("steps");
    assertThat(steps).as("nothing from 10 to 20 and from 30 on").hasSize(2);
    assertStep(steps.getJsonObject(0), 0, values(3, 10));
    assertStep(steps.getJsonObject(1), 20, values(20, 30));
    assertThat(data.getDouble("stepSeconds")).isEqualTo(10);
    assertThat(data.getJsonArray("percentiles")).hasToString("[50,99,100]");
    assertCovered(data, 3, 30, 34, 1);
  }

  private void assertStep(JsonObject step, int second, long[] sorted) {
    assertThat(step.getString("start")).isEqualTo(sidecar.at(second));
    assertThat(step.getLong("count")).isEqualTo(sorted.length);
    assertThat(step.getLong("max")).isEqualTo(percentile(sorted, 100));
    assertThat(step.getJsonArray("values"))
        .isEqualTo(
            new JsonArray()
                .add(percentile(sorted, 50))
                .add(percentile(sorted, 99))
                .add(percentile(sorted, 100)));
  }

  @Test
  void percentiles_intervalAcrossSteps_isWholeInTheStepOfItsMiddle() throws Exception {
    sidecar.upload(
        "name=long&unit=ns",
        List.of(new Interval(6, 16, 7_000), new Interval(16, 22, 9_000, 9_000)));

    JsonArray steps =
        sidecar
            .data("/api/v1/percentiles?series=long&step=10" + sidecar.between(0, 20))
            .getJsonArray("steps");
    JsonArray shorter =
        sidecar
            .data("/api/v1/percentiles?series=long&step=10" + sidecar.between(0, 10))
            .getJsonArray("steps");

    assertThat(steps).hasSize(1);
    assertThat(steps.getJsonObject(0).getString("start")).isEqualTo(sidecar.at(10));
    assertThat(steps.getJsonObject(0).getLong("count")).isEqualTo(3);
    assertThat(steps.getJsonObject(0).getDouble("resolutionSeconds")).isEqualTo(10);
    assertThat(steps.getJsonObject(0).getDouble("recordedSeconds")).isEqualTo(16);
    assertThat(shorter.getJsonObject(0).getString("start"))
        .as("its middle is behind the range")
        .isEqualTo(sidecar.at(0));
    assertThat(shorter.getJsonObject(0).getLong("count")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 20, 400})
  void heatmap_anyNumberOfBuckets_losesNoCount(int buckets) throws Exception {
    JsonObject data =
        sidecar.data(HEATMAP + "&step=5s&buckets=" + buckets + sidecar.between(0, 30));

    JsonArray edges = data.getJsonArray("edges");
    assertThat(edges).hasSize(buckets + 1);
    JsonArray steps = data.getJsonArray("steps");
    assertThat(steps).hasSize(4);
    assertThat(data.getLong("count")).isEqualTo(2000);
    int[] seconds = {0, 5, 20, 25};
    for (int i = 0; i < seconds.length; i++) {
      JsonObject step = steps.getJsonObject(i);
      long[] values = values(seconds[i], seconds[i] + 5);
      assertThat(step.getString("start")).isEqualTo(sidecar.at(seconds[i]));
      assertThat(step.getLong("count")).isEqualTo(values.length).isEqualTo(500);
      assertThat(step.getJsonArray("counts")).isEqualTo(counted(values, edges));
    }
  }

  private static JsonArray counted(long[] values, JsonArray edges) {
    JsonArray counts = new JsonArray();
    for (int i = 0; i + 1 < edges.size(); i++) {
      long from = edges.getLong(i);
      long to = edges.getLong(i + 1);
      assertThat(to).isGreaterThan(from);
      counts.add(
          Arrays.stream(values)
              .map(histogram()::highestEquivalentValue)
              .filter(value -> value >= from && value < to)
              .count());
    }
    return counts;
  }

  @Test
  void heatmap_edges_areAtEqualDistancesOnALogarithmicScale() throws Exception {
    JsonArray edges =
        sidecar
            .data(HEATMAP + "&step=5s&buckets=20" + sidecar.between(0, 30))
            .getJsonArray("edges");

    double ratio = Math.pow((double) edges.getLong(20) / edges.getLong(0), 1 / 20.0);
    for (int i = 0; i < 20; i++) {
      assertThat((double) edges.getLong(i + 1) / edges.getLong(i))
          .isBetween(ratio * 0.99, ratio * 1.01);
    }
    long[] sorted = values(0, 30);
    assertThat(edges.getLong(20) - 1).isEqualTo(percentile(sorted, 100));
  }

  @Test
  void compare_twoRanges_givesBothAndTheirRatio() throws Exception {
    String query =
        "/api/v1/compare?percentiles=50,99&a="
            + encoded("calls{host=\"a\"}")
            + "&b=calls&aStart="
            + sidecar.at(0)
            + "&aEnd="
            + sidecar.at(10)
            + "&bStart="
            + sidecar.at(20)
            + "&bEnd="
            + sidecar.at(30);

    JsonObject data = sidecar.data(query);

    long[] ofA = values(a, 0, 10);
    long[] ofB = values(20, 30);
    assertThat(data.getJsonObject("a").getLong("count")).isEqualTo(500);
    assertCovered(data.getJsonObject("a"), 0, 10, 10, 1);
    assertThat(data.getJsonObject("b").getLong("count")).isEqualTo(1000);
    double[] percentiles = {50, 99};
    for (int i = 0; i < percentiles.length; i++) {
      JsonObject row = data.getJsonArray("percentiles").getJsonObject(i);
      long x = percentile(ofA, percentiles[i]);
      long y = percentile(ofB, percentiles[i]);
      assertThat(row.getLong("a")).isEqualTo(x);
      assertThat(row.getLong("b")).isEqualTo(y);
      assertThat(row.getDouble("ratio")).isEqualTo((double) y / x);
    }
  }

  @Test
  void compare_withNothing_hasNoRatio() throws Exception {
    JsonObject envelope =
        sidecar.envelope("/api/v1/compare?percentiles=50&a=calls&b=calls&bStart=-2m");

    JsonObject row = envelope.getJsonObject("data").getJsonArray("percentiles").getJsonObject(0);
    assertThat(row.getLong("a")).isEqualTo(percentile(values(0, 30), 50));
    assertThat(row.getValue("b")).isNull();
    assertThat(row.getValue("ratio")).isNull();
    assertThat(envelope.getJsonArray("warnings").getString(0)).startsWith("b: nothing is kept");
  }

  @Test
  void coarsenedHistory_losesResolutionAndNoCount() throws Exception {
    try (UploadedSidecar small = new UploadedSidecar(Map.of("--history-max-memory", "1MiB"))) {
      SplittableRandom random = new SplittableRandom(3);
      List<Interval> many = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        long[] values = random.longs(200, 1_000, 1_000_000_000).toArray();
        many.add(new Interval(i / 10.0, (i + 1) / 10.0, values));
      }
      small.upload("name=calls&unit=ns", many);

      JsonObject whole = small.data(HISTOGRAM + "&buckets=true" + small.between(0, 500));
      JsonObject steps = small.data(PERCENTILES + "&step=10s" + small.between(0, 500));

      JsonObject covered = whole.getJsonObject("covered");
      assertThat(covered.getInteger("intervals")).isLessThan(4000);
      assertThat(covered.getDouble("resolutionSeconds")).isGreaterThan(0.15);
      assertThat(covered.getString("start")).isEqualTo(small.at(0));
      assertThat(covered.getString("end")).isEqualTo(small.at(500));
      long[] all = many.stream().flatMapToLong(Interval::values).sorted().toArray();
      assertThat(fromBuckets(whole.getJsonArray("buckets"))).isEqualTo(recorded(all));
      long inSteps =
          steps.getJsonArray("steps").stream()
              .mapToLong(step -> ((JsonObject) step).getLong("count"))
              .sum();
      assertThat(inSteps).isEqualTo(all.length);
    }
  }
}

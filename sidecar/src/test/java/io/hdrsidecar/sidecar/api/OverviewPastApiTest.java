package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Series side by side in a range of the past, of which memory does not have everything, held
 * against the sorted lists of what was recorded.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OverviewPastApiTest {
  private static final String OVERVIEW = "/api/v1/overview";

  @TempDir Path folder = Path.of("set by JUnit");

  private UploadedSidecar start(String... more) throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--journal-directory", folder.toString());
    flags.put("--journal-flush", "5ms");
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    return new UploadedSidecar(flags);
  }

  private static List<Interval> seconds(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, count)
        .mapToObj(s -> new Interval(s, s + 1, random.longs(50, 1_000, 50_000_000).toArray()))
        .toList();
  }

  private static void eventually(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static boolean hasEnded(UploadedSidecar sidecar) throws Exception {
    HttpResponse<String> answer = sidecar.get(OVERVIEW);
    return answer.statusCode() == 200
        && new JsonObject(answer.body()).getJsonObject("data").getInteger("total") == 0;
  }

  /** Percentiles as HdrHistogram has them: the highest value of the bucket. */
  private static void assertFigures(JsonObject row, List<Interval> intervals) {
    long[] sorted = intervals.stream().flatMapToLong(Interval::values).sorted().toArray();
    assertThat(row.getLong("count")).isEqualTo(sorted.length);
    assertThat(row.getLong("p50")).isEqualTo(bucket(sorted, 0.5));
    assertThat(row.getLong("p99")).isEqualTo(bucket(sorted, 0.99));
    assertThat(row.getLong("max")).isEqualTo(bucket(sorted, 1));
    assertThat(row.getDouble("ratePerSecond")).isEqualTo(sorted.length / (double) intervals.size());
    assertThat(row.getJsonObject("covered").getInteger("intervals")).isEqualTo(intervals.size());
  }

  private static long bucket(long[] sorted, double share) {
    return histogram().highestEquivalentValue(sorted[(int) Math.ceil(share * sorted.length) - 1]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0B", "64MiB"})
  void overview_ofARange_afterARestart_hasTheFiguresOfTheFiles(String memory) throws Exception {
    List<Interval> all = seconds(1, 60);
    UploadedSidecar before = start("--history-max-memory", memory);
    try (before) {
      before.upload("name=calls&unit=ns", all);
    }
    try (UploadedSidecar again = start("--history-max-memory", memory)) {
      String question = OVERVIEW + "?points=3" + before.between(10, 40);
      eventually(() -> !again.get(question).body().contains("have no index yet"));

      JsonArray series = again.data(question).getJsonArray("series");

      assertThat(series).hasSize(1);
      JsonObject row = series.getJsonObject(0);
      assertThat(row.getBoolean("ended")).isFalse();
      assertFigures(row, all.subList(10, 40));
      JsonObject spark = row.getJsonObject("spark");
      assertThat(spark.getJsonArray("count")).isEqualTo(new JsonArray().add(500).add(500).add(500));
      for (int step = 0; step < 3; step++) {
        long[] values =
            all.subList(10 + 10 * step, 20 + 10 * step).stream()
                .flatMapToLong(Interval::values)
                .sorted()
                .toArray();
        assertThat(spark.getJsonArray("max").getLong(step)).isEqualTo(bucket(values, 1));
      }
    }
  }

  @Test
  void overview_ofARange_hasSeriesThatHaveEnded_andSaysSo() throws Exception {
    List<Interval> ended = seconds(2, 30);
    try (UploadedSidecar sidecar = start("--series-idle-expiry", "1s")) {
      sidecar.upload("name=calls&unit=ns&label.pod=a", ended);
      sidecar.upload("name=calls&unit=ns", seconds(3, 20));
      sidecar.upload("name=others&unit=ns", seconds(4, 5));
      eventually(() -> sidecar.data(OVERVIEW).getInteger("total") == 0);

      String range = sidecar.between(0, 30);
      JsonObject found = sidecar.data(OVERVIEW + "?series=calls" + range);

      assertThat(found.getInteger("total")).isEqualTo(2);
      JsonObject plain = found.getJsonArray("series").getJsonObject(0);
      JsonObject labelled = found.getJsonArray("series").getJsonObject(1);
      assertThat(plain.getBoolean("ended")).isTrue();
      assertThat(plain.getString("selector")).as("this one alone").isEqualTo("calls{pod=\"\"}");
      assertThat(plain.getMap()).containsEntry("sla", null);
      assertThat(labelled.getJsonObject("labels")).isEqualTo(new JsonObject().put("pod", "a"));
      assertFigures(labelled, ended);
      JsonObject opened =
          sidecar.data("/api/v1/histogram?series=" + encoded(plain.getString("selector")) + range);
      assertThat(opened.getLong("count")).isEqualTo(20 * 50);
      JsonObject before = sidecar.data(OVERVIEW + "?points=9" + sidecar.between(-60, -30));
      assertThat(before.getInteger("total")).as("nothing of theirs is there").isZero();
    }
  }

  @Test
  void overview_withoutFigures_hasNamesOnly_evenOfMoreThanMayBeRead() throws Exception {
    try (UploadedSidecar sidecar =
        start("--series-idle-expiry", "1s", "--query-max-intervals", "10")) {
      sidecar.upload("name=calls&unit=ns", seconds(5, 30));
      // Before its end the series may be too long for a spark line, as the minute has begun or not.
      eventually(() -> hasEnded(sidecar));
      String range = sidecar.between(0, 30);

      HttpResponse<String> tooMuch = sidecar.get(OVERVIEW + "?points=9" + range);
      JsonObject row =
          sidecar.data(OVERVIEW + "?figures=false" + range).getJsonArray("series").getJsonObject(0);
      HttpResponse<String> ofAWindow = sidecar.get(OVERVIEW + "?figures=false");
      HttpResponse<String> sorted = sidecar.get(OVERVIEW + "?figures=false&sort=p99" + range);

      assertThat(tooMuch.statusCode()).isEqualTo(422);
      assertThat(row.getString("name")).isEqualTo("calls");
      assertThat(row.getBoolean("ended")).isTrue();
      assertThat(row.getMap()).containsEntry("count", null).containsEntry("ratePerSecond", null);
      assertThat(row.getMap()).containsEntry("max", null).containsEntry("spark", null);
      assertThat(ofAWindow.statusCode()).isEqualTo(400);
      assertThat(sorted.body()).contains("figures: can be false only with start or end");
    }
  }

  @Test
  void overview_intervalsLongerThanTheRange_hasTheRateOfTheTimeTheyCover() throws Exception {
    long[] values = new long[1200];
    Arrays.fill(values, 5_000);
    try (UploadedSidecar sidecar = start()) {
      sidecar.upload("name=calls&unit=ns", List.of(new Interval(0, 600, values)));

      HttpResponse<String> answer = sidecar.get(OVERVIEW + "?points=1" + sidecar.between(300, 301));

      JsonObject json = new JsonObject(answer.body());
      JsonObject row = json.getJsonObject("data").getJsonArray("series").getJsonObject(0);
      assertThat(row.getDouble("ratePerSecond")).isEqualTo(2);
      assertThat(row.getJsonObject("covered").getString("start")).isEqualTo(sidecar.at(0));
      assertThat(row.getJsonObject("covered").getString("end")).isEqualTo(sidecar.at(600));
      assertThat(json.getJsonArray("warnings").encode()).contains("intervals are not cut");
    }
  }
}

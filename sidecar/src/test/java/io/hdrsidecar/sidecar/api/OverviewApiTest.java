package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Series side by side over HTTP, held against the sorted lists of what was recorded. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class OverviewApiTest {
  private static final String OVERVIEW = "/api/v1/overview";

  private final UploadedSidecar sidecar;
  private final List<Interval> pay = randomIntervals(1, 50);
  private final List<Interval> cart = randomIntervals(2, 20);

  OverviewApiTest(@TempDir Path folder) throws Exception {
    Path rules =
        Files.writeString(
            folder.resolve("sla.yaml"),
            """
            slas:
              - {name: fine, selector: '{__name__=~"fresh|other"}', limits: {100%: 1h}}
              - {name: broken, selector: fresh, limits: {100%: 1ns}}
              - {name: old, selector: calls, limits: {100%: 1h}}
            """);
    sidecar = new UploadedSidecar(Map.of("--sla-file", rules.toString()));
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  private static List<Interval> randomIntervals(long seed, int values) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, 30)
        .mapToObj(
            second ->
                new Interval(second, second + 1, random.longs(values, 1_000, 50_000_000).toArray()))
        .toList();
  }

  private void uploadCalls() throws Exception {
    sidecar.upload("name=calls&unit=ns&label.route=" + encoded("/pay"), pay);
    sidecar.upload("name=calls&unit=ns&label.route=" + encoded("/cart"), cart);
  }

  private JsonArray series(String parameters) throws Exception {
    return sidecar.data(OVERVIEW + parameters).getJsonArray("series");
  }

  private static long[] sorted(List<Interval> intervals) {
    return intervals.stream().flatMapToLong(Interval::values).sorted().toArray();
  }

  /** As HdrHistogram has it: the highest value of its bucket. */
  private static long percentile(long[] sorted, double percentile) {
    int rank = Math.max(1, (int) Math.ceil(percentile * sorted.length / 100));
    return histogram().highestEquivalentValue(sorted[rank - 1]);
  }

  private static void assertFigures(JsonObject row, long[] sorted) {
    assertThat(row.getLong("count")).isEqualTo(sorted.length);
    assertThat(row.getLong("p50")).isEqualTo(percentile(sorted, 50));
    assertThat(row.getLong("p99")).isEqualTo(percentile(sorted, 99));
    assertThat(row.getLong("p999")).isEqualTo(percentile(sorted, 99.9));
    assertThat(row.getLong("max")).isEqualTo(percentile(sorted, 100));
  }

  @Test
  void overview_ofARange_hasTheFiguresOfItsIntervals() throws Exception {
    uploadCalls();

    JsonObject data = sidecar.data(OVERVIEW + "?points=3" + sidecar.between(5, 20));

    assertThat(data.containsKey("window")).isFalse();
    assertThat(data.getJsonObject("range").getString("start")).isEqualTo(sidecar.at(5));
    assertThat(data.getJsonObject("range").getString("end")).isEqualTo(sidecar.at(20));
    assertThat(data.getInteger("total")).isEqualTo(2);
    List<List<Interval>> inOrder = List.of(cart.subList(5, 20), pay.subList(5, 20));
    for (int i = 0; i < 2; i++) {
      JsonObject row = data.getJsonArray("series").getJsonObject(i);
      assertFigures(row, sorted(inOrder.get(i)));
      assertThat(row.getDouble("ratePerSecond")).isEqualTo(sorted(inOrder.get(i)).length / 15.0);
      assertThat(row.getString("unit")).isEqualTo("ns");
      JsonObject spark = row.getJsonObject("spark");
      assertThat(spark.getString("start")).isEqualTo(sidecar.at(5));
      assertThat(spark.getDouble("stepSeconds")).isEqualTo(5);
      for (int step = 0; step < 3; step++) {
        long[] values = sorted(inOrder.get(i).subList(5 * step, 5 * step + 5));
        assertThat(spark.getJsonArray("count").getLong(step)).isEqualTo(values.length);
        assertThat(spark.getJsonArray("max").getLong(step)).isEqualTo(percentile(values, 100));
      }
    }
  }

  @Test
  void overview_ofTheTotal_hasAllThatWasCounted_andASparkLineOfTenMinutes() throws Exception {
    uploadCalls();

    JsonObject data = sidecar.data(OVERVIEW + "?window=total");

    assertThat(data.getString("window")).isEqualTo("total");
    assertFigures(data.getJsonArray("series").getJsonObject(0), sorted(cart));
    assertFigures(data.getJsonArray("series").getJsonObject(1), sorted(pay));
    JsonObject spark = data.getJsonArray("series").getJsonObject(1).getJsonObject("spark");
    assertThat(spark.getDouble("stepSeconds")).isEqualTo(10);
    assertThat(spark.getJsonArray("count")).hasSize(60);
  }

  @Test
  void overview_ofAWindow_hasWhatIsInIt_andNullWhereNothingIs() throws Exception {
    uploadCalls(); // more than a window ago
    double now = (System.currentTimeMillis() - sidecar.origin) / 1000.0;
    long[] values = new SplittableRandom(3).longs(100, 1_000, 50_000_000).toArray();
    sidecar.upload("name=fresh&unit=ns", List.of(new Interval(now - 2, now - 1, values)));

    JsonObject data = sidecar.data(OVERVIEW);

    assertThat(data.getString("window")).isEqualTo("1m");
    JsonObject old = data.getJsonArray("series").getJsonObject(0);
    assertThat(old.getLong("count")).isZero();
    assertThat(old.getDouble("ratePerSecond")).isZero();
    assertThat(old.getMap()).containsEntry("p50", null).containsEntry("p99", null);
    assertThat(old.getMap()).containsEntry("p999", null).containsEntry("max", null);
    JsonObject fresh = data.getJsonArray("series").getJsonObject(2);
    assertFigures(fresh, Arrays.stream(values).sorted().toArray());
    JsonArray counts = fresh.getJsonObject("spark").getJsonArray("count");
    assertThat(counts.stream().mapToLong(count -> ((Number) count).longValue()).sum())
        .isEqualTo(100);
  }

  @Test
  void overview_ofSeriesOfRules_hasTheWorstVerdict() throws Exception {
    uploadCalls();
    double now = (System.currentTimeMillis() - sidecar.origin) / 1000.0;
    for (String name : List.of("fresh", "other", "unruled")) {
      sidecar.upload("name=" + name + "&unit=ns", List.of(new Interval(now - 2, now - 1, 5_000)));
    }

    assertThat(awaitState("other", "met")).isEqualTo("met");
    assertThat(awaitState("fresh", "violated")).isEqualTo("violated");
    assertThat(awaitState("calls", "unknown")).isEqualTo("unknown");
    JsonObject unruled = series("?series=unruled").getJsonObject(0);
    assertThat(unruled.getMap()).containsEntry("sla", null);
  }

  /** Rules are judged once a second. */
  private String awaitState(String name, String state) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    String found;
    do {
      found = String.valueOf(series("?series=" + name).getJsonObject(0).getString("sla"));
      TimeUnit.MILLISECONDS.sleep(50);
    } while (!found.equals(state) && System.nanoTime() - deadline < 0);
    return found;
  }

  @ParameterizedTest
  @CsvSource({"name, a b c", "count, b c a", "p99, c a b", "p999, a c b", "max, a c b"})
  void overview_sorted_hasNamesAscendingAndFiguresDescending(String sort, String order)
      throws Exception {
    long[] many = LongStream.generate(() -> 1_000).limit(300).toArray();
    long[] slow = LongStream.generate(() -> 9_000).limit(150).toArray();
    long[] extreme = LongStream.generate(() -> 2_000).limit(120).toArray();
    extreme[0] = 1_000_000; // above its percentile 99
    sidecar.upload("name=a&unit=ns", List.of(new Interval(0, 1, extreme)));
    sidecar.upload("name=b&unit=ns", List.of(new Interval(0, 1, many)));
    sidecar.upload("name=c&unit=ns", List.of(new Interval(0, 1, slow)));
    List<String> names = List.of(order.split(" ", -1));

    for (String of : List.of("window=total", "start=-1h")) {
      assertThat(names(series("?sort=" + sort + "&" + of))).isEqualTo(names);
      JsonObject second = sidecar.data(OVERVIEW + "?limit=1&offset=1&sort=" + sort + "&" + of);
      assertThat(names(second.getJsonArray("series"))).containsExactly(names.get(1));
      assertThat(second.getInteger("total")).isEqualTo(3);
      assertThat(series("?offset=7&sort=" + sort + "&" + of)).isEmpty();
    }
  }

  private static List<String> names(JsonArray series) {
    List<String> names = new ArrayList<>();
    series.forEach(row -> names.add(((JsonObject) row).getString("name")));
    return names;
  }

  @Test
  void selector_ofEachSeries_matchesThatSeriesAlone() throws Exception {
    List<Interval> one = List.of(new Interval(0, 1, 5));
    for (String labels :
        List.of(
            "",
            "&label.route=x",
            "&label.route=x&label.pod=" + encoded("a\"\\\n}"),
            "&label.pod=b")) {
      sidecar.upload("name=calls&unit=ns" + labels, one);
    }

    JsonArray all = series("?window=total");

    assertThat(all).hasSize(4);
    for (int i = 0; i < 4; i++) {
      JsonObject row = all.getJsonObject(i);
      JsonArray found = series("?window=total&series=" + encoded(row.getString("selector")));
      assertThat(found).as(row.getString("selector")).hasSize(1);
      assertThat(found.getJsonObject(0).getJsonObject("labels"))
          .isEqualTo(row.getJsonObject("labels"));
    }
  }

  @Test
  void overview_withoutHistory_hasNoSparkLines_andNoRanges() throws Exception {
    try (UploadedSidecar forgetful = new UploadedSidecar(Map.of("--history-max-memory", "0B"))) {
      forgetful.upload("name=calls&unit=ns", pay);

      JsonArray series = forgetful.data(OVERVIEW + "?window=total").getJsonArray("series");
      HttpResponse<String> refused = forgetful.get(OVERVIEW + "?start=-1h");

      assertThat(series.getJsonObject(0).getMap()).containsEntry("spark", null);
      assertFigures(series.getJsonObject(0), sorted(pay));
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(refused.body()).contains("history.max-memory");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window=1m&start=-1m | 400 | window: cannot go with start or end",
        "window=7s           | 400 | window: not a known window: 7s",
        "points=0            | 400 | points: must be a whole number from 1 to 500: 0",
        "limit=10001         | 400 | limit: must be a whole number from 1 to 10000: 10001",
        "offset=-1           | 400 | offset: must be a whole number from 0 to 999999999: -1",
        "sort=p50            | 400 | sort: must be name, count, p99, p999 or max: p50",
        "series=%7B          | 400 | series: ",
        "step=1s             | 400 | step: not a known parameter",
        "points=11           | 422 | query.max-cells",
        "start=-1h           | 422 | query.max-intervals",
      })
  void overview_ofWhatCannotBeAnswered_saysWhy(String parameters, int status, String message)
      throws Exception {
    try (UploadedSidecar small =
        new UploadedSidecar(Map.of("--query-max-cells", "20", "--query-max-intervals", "40"))) {
      small.upload("name=a&unit=ns", pay);
      small.upload("name=b&unit=ns", pay);

      HttpResponse<String> refused = small.get(OVERVIEW + "?" + parameters);

      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
      assertThat(refused.body()).contains(message);
    }
  }
}

package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PromQL over the journal of a sidecar that was started again, held against sorted lists. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PrometheusPastApiTest {
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

  private static List<Interval> intervals(long seed, int from, int to) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Interval> intervals = new ArrayList<>();
    for (int second = from; second < to; second++) {
      intervals.add(
          new Interval(second, second + 1, random.longs(100, 1_000, 90_000_000).toArray()));
    }
    return intervals;
  }

  private static double quantile(List<Interval> intervals, double quantile) {
    long[] sorted = intervals.stream().flatMapToLong(Interval::values).sorted().toArray();
    int rank = (int) Math.max(1, Math.ceil(Math.nextDown(quantile) * sorted.length));
    long most = histogram().highestEquivalentValue(sorted[sorted.length - 1]);
    return Math.min(histogram().highestEquivalentValue(sorted[rank - 1]), most) / 1e9;
  }

  private static JsonArray range(
      UploadedSidecar sidecar, long origin, String query, int from, int to, int step)
      throws Exception {
    JsonArray result =
        sidecar
            .data(
                "/prometheus/api/v1/query_range?query="
                    + encoded(query)
                    + "&start="
                    + (origin / 1000 + from)
                    + "&end="
                    + (origin / 1000 + to)
                    + "&step="
                    + step)
            .getJsonArray("result");
    assertThat(result).hasSize(1);
    return result.getJsonObject(0).getJsonArray("values");
  }

  private static double[] numbers(JsonArray values) {
    return values.stream()
        .mapToDouble(each -> Double.parseDouble(((JsonArray) each).getString(1)))
        .toArray();
  }

  @Test
  void restart_withinARange_isNoReset_andQuantilesStayExact() throws Exception {
    List<Interval> before = intervals(1, 0, 30);
    long origin;
    try (UploadedSidecar sidecar = start()) {
      origin = sidecar.origin;
      sidecar.upload("name=calls&unit=ns", before);
    }
    try (UploadedSidecar sidecar = start()) {
      double shift = (origin - sidecar.origin) / 1000.0;
      List<Interval> after = intervals(2, 30, 60);
      List<Interval> moved = new ArrayList<>();
      after.forEach(
          each ->
              moved.add(
                  new Interval(
                      each.fromSecond() + shift,
                      each.fromSecond() + 1 + shift,
                      each.values().toArray())));
      sidecar.upload("name=calls&unit=ns", moved);

      assertThat(numbers(range(sidecar, origin, "increase(calls_seconds_count[20s])", 20, 60, 10)))
          .containsExactly(2000, 2000, 2000, 2000, 2000);
      List<Interval> middle = new ArrayList<>(before.subList(20, 30));
      middle.addAll(after.subList(0, 10));
      assertThat(
              numbers(
                  range(
                      sidecar,
                      origin,
                      "histogram_quantile(0.95, sum by (le) (rate(calls_seconds_bucket[20s])))",
                      40,
                      40,
                      10)))
          .containsExactly(quantile(middle, 0.95));
      assertThat(numbers(range(sidecar, origin, "calls_seconds_count", 10, 60, 10)))
          .containsExactly(1000, 2000, 3000, 4000, 5000, 6000);
    }
  }

  @Test
  void journal_withoutHistoryInMemory_answersTheSame() throws Exception {
    try (UploadedSidecar sidecar = start("--history-max-memory", "0B")) {
      List<Interval> all = intervals(3, 0, 20);
      sidecar.upload("name=calls&unit=ns", all);

      assertThat(
              numbers(
                  range(
                      sidecar,
                      sidecar.origin,
                      "histogram_quantile(0.5, rate(calls_seconds[10s]))",
                      10,
                      20,
                      10)))
          .containsExactly(quantile(all.subList(0, 10), 0.5), quantile(all.subList(10, 20), 0.5));
    }
  }

  @Test
  void sidecar_withoutSeries_givesEmptyAnswers() throws Exception {
    try (UploadedSidecar sidecar = start()) {
      String api = "/prometheus/api/v1/";
      assertThat(sidecar.data(api + "query?query=" + encoded("sum(rate(x[5m]))")))
          .isEqualTo(new JsonObject().put("resultType", "vector").put("result", new JsonArray()));
      assertThat(
              sidecar
                  .data(api + "query_range?query=x&start=0&end=10&step=1")
                  .getJsonArray("result"))
          .isEmpty();
      assertThat(sidecar.envelope(api + "labels").getJsonArray("data")).isEmpty();
      assertThat(sidecar.envelope(api + "metadata").getJsonObject("data")).isEmpty();
      assertThat(sidecar.head(api + "query?query=1").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void allSeries_atOnce_areAnswered() throws Exception {
    try (UploadedSidecar sidecar = start()) {
      for (int i = 0; i < 5; i++) {
        sidecar.upload("name=calls" + i + "&unit=ns", intervals(i, 0, 3));
      }
      JsonArray all =
          sidecar
              .data(
                  "/prometheus/api/v1/query?query="
                      + encoded("{__name__=~\".+\"}")
                      + "&time="
                      + sidecar.at(3))
              .getJsonArray("result");
      assertThat(all).hasSize(5 * (1 + 12 + 1 + 1 + 6));
      double counted =
          LongStream.range(0, all.size())
              .mapToObj(i -> all.getJsonObject((int) i))
              .filter(each -> each.getJsonObject("metric").getString("__name__").endsWith("_count"))
              .mapToDouble(each -> Double.parseDouble(each.getJsonArray("value").getString(1)))
              .sum();
      assertThat(counted).isEqualTo(1500);
    }
  }
}

package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PromQL over HTTP, held against the sorted list of what was recorded. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class PrometheusApiTest extends TwoHosts {
  private static final String QUERY = "/prometheus/api/v1/query?query=";
  private static final String RANGE = "/prometheus/api/v1/query_range?query=";

  PrometheusApiTest() throws Exception {}

  /** By rank in the sorted list, as the highest value of its bucket, in seconds. */
  private static double quantile(long[] sorted, double quantile) {
    int rank = (int) Math.max(1, Math.ceil(Math.nextDown(quantile) * sorted.length));
    long highest = histogram().highestEquivalentValue(sorted[rank - 1]);
    return Math.min(highest, highestOf(sorted)) / 1e9;
  }

  /** Uploaded logs say no more of the greatest value than its bucket. */
  private static long highestOf(long[] sorted) {
    return histogram().highestEquivalentValue(sorted[sorted.length - 1]);
  }

  private JsonArray instant(String query, double second) throws Exception {
    return sidecar
        .data(QUERY + encoded(query) + "&time=" + sidecar.at(second))
        .getJsonArray("result");
  }

  private static double value(JsonObject element) {
    return Double.parseDouble(element.getJsonArray("value").getString(1));
  }

  @Test
  void quantile_ofTheSumOfClassicRates_isThatOfTheSortedList() throws Exception {
    JsonArray result =
        instant("histogram_quantile(0.99, sum by (le) (rate(calls_seconds_bucket[10s])))", 10);

    assertThat(result).hasSize(1);
    assertThat(result.getJsonObject(0).getJsonObject("metric")).isEqualTo(new JsonObject());
    assertThat(value(result.getJsonObject(0))).isEqualTo(quantile(values(0, 10), 0.99));
  }

  @Test
  void quantile_ofNativeRatesByHost_isThatOfEachList() throws Exception {
    JsonArray result =
        instant("histogram_quantile(0.5, sum by (host) (rate(calls_seconds[5s])))", 25);

    assertThat(result).hasSize(2);
    assertThat(result.getJsonObject(0).getJsonObject("metric"))
        .isEqualTo(new JsonObject().put("host", "a"));
    assertThat(value(result.getJsonObject(0))).isEqualTo(quantile(values(a, 20, 25), 0.5));
    assertThat(value(result.getJsonObject(1))).isEqualTo(quantile(values(b, 20, 25), 0.5));
  }

  @Test
  void increase_isTheExactCount() throws Exception {
    assertThat(value(instant("sum(increase(calls_seconds_count[10s]))", 10).getJsonObject(0)))
        .isEqualTo(1000);
    assertThat(value(instant("sum(rate(calls_seconds_count[10s]))", 10).getJsonObject(0)))
        .isEqualTo(100);
  }

  @Test
  void range_stepsFromItsStart_eachWindowByTheEndsOfIntervals() throws Exception {
    JsonObject data =
        sidecar.data(
            RANGE
                + encoded("sum(increase(calls_seconds_count[5s]))")
                + sidecar.between(3, 27)
                + "&step=4");

    assertThat(data.getString("resultType")).isEqualTo("matrix");
    JsonArray values = data.getJsonArray("result").getJsonObject(0).getJsonArray("values");
    List<Double> counts = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      counts.add(Double.valueOf(values.getJsonArray(i).getString(1)));
    }
    assertThat(counts).containsExactly(300.0, 500.0, 400.0, 0.0, 0.0, 300.0, 500.0);
  }

  @Test
  void buckets_asResult_countUpToTheirEdges() throws Exception {
    JsonArray result = instant("sum by (le) (increase(calls_seconds_bucket[10s]))", 10);

    long[] sorted = values(0, 10);
    for (int i = 0; i < result.size(); i++) {
      String le = result.getJsonObject(i).getJsonObject("metric").getString("le");
      double edge = le.equals("+Inf") ? Double.MAX_VALUE : Double.parseDouble(le);
      double expected =
          LongStream.of(sorted)
              .filter(each -> histogram().highestEquivalentValue(each) / 1e9 <= edge)
              .count();
      assertThat(value(result.getJsonObject(i))).as(le).isEqualTo(expected);
    }
    assertThat(result).hasSize(12);
  }

  @Test
  void histogram_asResult_hasOurBuckets() throws Exception {
    JsonArray result = instant("sum(increase(calls_seconds[10s]))", 10);

    JsonObject json = result.getJsonObject(0).getJsonArray("histogram").getJsonObject(1);
    assertThat(json.getString("count")).isEqualTo("1000");
    double sum = LongStream.of(values(0, 10)).sum() / 1e9;
    assertThat(Double.parseDouble(json.getString("sum"))).isCloseTo(sum, within(sum / 1000));
    double count = 0;
    JsonArray buckets = json.getJsonArray("buckets");
    for (int i = 0; i < buckets.size(); i++) {
      JsonArray bucket = buckets.getJsonArray(i);
      assertThat(bucket.getInteger(0)).isEqualTo(1);
      double from = Double.parseDouble(bucket.getString(1));
      double to = Double.parseDouble(bucket.getString(2));
      assertThat(to).isGreaterThan(from).isLessThanOrEqualTo(from * 1.0011);
      count += Double.parseDouble(bucket.getString(3));
    }
    assertThat(count).isEqualTo(1000);
  }

  @Test
  void range_askedAgain_isTheSame_andHasWhatArrivedLate() throws Exception {
    String asked =
        RANGE
            + encoded("histogram_quantile(1, sum(increase(calls_seconds[5s])))")
            + sidecar.between(5, 25)
            + "&step=5";
    String before = sidecar.get(asked).body();
    assertThat(sidecar.get(asked).body()).isEqualTo(before);

    sidecar.upload(
        "name=calls&unit=ns&label.host=a", List.of(new Interval(12.25, 12.75, 90_000_000)));

    JsonArray values =
        sidecar.data(asked).getJsonArray("result").getJsonObject(0).getJsonArray("values");
    double late = Double.parseDouble(values.getJsonArray(2).getString(1));
    assertThat(late).isEqualTo(quantile(new long[] {90_000_000}, 1));
    assertThat(values.getJsonArray(1).getString(1))
        .isEqualTo(String.valueOf(quantile(values(5, 10), 1)));
  }

  @Test
  void selector_ofCounters_isWhatWasCountedUntilThen() throws Exception {
    assertThat(value(instant("sum(calls_seconds_count)", 7).getJsonObject(0))).isEqualTo(700);
    assertThat(value(instant("calls_seconds_count{host=\"a\"}", 25).getJsonObject(0)))
        .isEqualTo(750);
    assertThat(value(instant("histogram_quantile(0.9, sum(calls_seconds))", 30).getJsonObject(0)))
        .isEqualTo(quantile(values(0, 30), 0.9));
  }

  @Test
  void gauges_areThoseOfTheirWindow_alsoInThePast() throws Exception {
    JsonArray result =
        instant("calls_window_seconds{quantile=\"0.99\",window=\"1m\",host=\"b\"}", 10);

    assertThat(result.getJsonObject(0).getJsonObject("metric").getString("__name__"))
        .isEqualTo("calls_window_seconds");
    assertThat(value(result.getJsonObject(0))).isEqualTo(quantile(values(b, 0, 10), 0.99));
  }

  @Test
  void extremes_areThoseThatWereRecorded() throws Exception {
    JsonArray result =
        instant("max(max_over_time(calls_window_seconds{quantile=\"1\",window=\"1m\"}[5s]))", 30);

    assertThat(value(result.getJsonObject(0))).isEqualTo(quantile(values(0, 30), 1));
  }

  @Test
  void fraction_isThatOfTheList() throws Exception {
    JsonArray result = instant("histogram_fraction(0, 0.025, sum(rate(calls_seconds[10s])))", 10);

    long[] sorted = values(0, 10);
    double upTo = LongStream.of(sorted).filter(each -> each <= 25_000_000).count();
    assertThat(value(result.getJsonObject(0))).isCloseTo(upTo / sorted.length, within(0.002));
  }

  @Test
  void average_ofSumByCount_isThatOfTheList() throws Exception {
    JsonArray result =
        instant("sum(rate(calls_seconds_sum[10s])) / sum(rate(calls_seconds_count[10s]))", 10);

    double mean = LongStream.of(values(0, 10)).average().orElseThrow() / 1e9;
    assertThat(value(result.getJsonObject(0))).isCloseTo(mean, within(mean / 1000));
  }

  @Test
  void health_isTwo() throws Exception {
    JsonObject data = sidecar.data(QUERY + encoded("1+1") + "&time=4");

    assertThat(data.getString("resultType")).isEqualTo("scalar");
    assertThat(data.getJsonArray("result")).containsExactly(4, "2");
  }
}

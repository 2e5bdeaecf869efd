package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sidecar, read by Prometheus' own client for Go, beside a Prometheus that knows the same: what
 * the client understands of the one is what it understands of the other.
 */
@RequiresDocker
@RequiresPrograms({"prometheus-client", "prometheus-write"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PrometheusClientIT {
  /** So far into the load that every window asked for here has all its seconds. */
  private static final int ASKED_SECOND = 100;

  private KnownServers servers;

  @BeforeAll
  void start() throws Exception {
    servers = KnownServers.start(1);
  }

  @AfterAll
  void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  private double at(int second) {
    return servers.load().originMillis() / 1000.0 + second;
  }

  private JsonObject call(String name) {
    return new JsonObject().put("call", name).put("start", at(0)).put("end", at(ASKED_SECOND));
  }

  private JsonObject ofSidecar(JsonObject call) throws Exception {
    return ask(servers.sidecar(), call);
  }

  private JsonObject ofPrometheus(JsonObject call) throws Exception {
    return ask(servers.prometheus(), call);
  }

  private static JsonObject ask(String address, JsonObject call) throws Exception {
    return KnownServers.ask(List.of("prometheus-client", address), List.of(call)).get(0);
  }

  /** Of every series the labels and the moments. */
  private static Map<String, String> shape(JsonObject answer) {
    return answer.getJsonArray("value").stream()
        .map(JsonObject.class::cast)
        .collect(
            Collectors.toMap(
                series -> series.getJsonObject("metric").encode(),
                series ->
                    series.fieldNames().stream()
                            .filter(field -> !field.equals("metric"))
                            .collect(Collectors.joining())
                        + moments(series)));
  }

  private static List<Object> moments(JsonObject series) {
    for (String several : List.of("values", "histograms")) {
      if (series.containsKey(several)) {
        return series.getJsonArray(several).stream()
            .map(sample -> ((JsonArray) sample).getValue(0))
            .toList();
      }
    }
    String one = series.containsKey("value") ? "value" : "histogram";
    return List.of(series.getJsonArray(one).getValue(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "histogram_quantile(0.9, sum by (pod) (rate(steady_seconds[10s])))",
        "histogram_quantile(0.9, sum by (le) (rate(steady_seconds_bucket{pod=\"a\"}[1m0s])))",
        "sum(rate(steady_seconds[10s]))",
        "increase(steady_seconds[20s])",
        "sum by (pod) (increase(steady_seconds_count[20s])) > 1",
        "histogram_avg(rate(query_seconds{shard=~\"1|2\"}[10s])) * 1000",
        "topk(1, histogram_sum(rate(steady_seconds[10s])))",
        "rate(steady_seconds{pod=\"none\"}[1m])",
      })
  void query_atAMomentAndAtSteps_isUnderstoodAsOfPrometheus(String query) throws Exception {
    JsonObject once = call("query").put("query", query).put("time", at(ASKED_SECOND));
    JsonObject steps =
        call("query_range")
            .put("query", query)
            .put("start", at(ASKED_SECOND - 10))
            .put("step", 2.5);
    for (JsonObject call : List.of(once, steps)) {
      JsonObject ours = ofSidecar(call);
      JsonObject theirs = ofPrometheus(call);

      assertThat(ours.getString("error")).as("%s", call).isNull();
      assertThat(ours.getString("type")).isEqualTo(theirs.getString("type"));
      assertThat(shape(ours)).as("%s", call).isEqualTo(shape(theirs));
    }
  }

  @Test
  void histogram_read_hasEveryValueInABucketAndTheirSum() throws Exception {
    String query = "increase(steady_seconds{pod=\"a\"}[10s])";
    JsonObject call = call("query").put("query", query).put("time", at(ASKED_SECOND));

    JsonObject histogram =
        ofSidecar(call)
            .getJsonArray("value")
            .getJsonObject(0)
            .getJsonArray("histogram")
            .getJsonObject(1);

    JsonObject theirs =
        ofPrometheus(call)
            .getJsonArray("value")
            .getJsonObject(0)
            .getJsonArray("histogram")
            .getJsonObject(1);
    assertThat(number(histogram, "count")).isEqualTo(number(theirs, "count"));
    assertThat(number(histogram, "sum") / number(theirs, "sum")).isBetween(1 - 1e-9, 1 + 1e-9);
    double inBuckets = 0;
    for (Object each : histogram.getJsonArray("buckets")) {
      JsonArray bucket = (JsonArray) each;
      double low = Double.parseDouble(bucket.getString(1));
      double high = Double.parseDouble(bucket.getString(2));
      double count = Double.parseDouble(bucket.getString(3));
      assertThat(high / low).as("%s", bucket).isBetween(1.0, 1.001);
      assertThat(count).as("%s", bucket).isEqualTo(10.0 * valuesBetween(low, high));
      inBuckets += count;
    }
    assertThat(inBuckets).isEqualTo(number(histogram, "count"));
  }

  private static double number(JsonObject histogram, String field) {
    return Double.parseDouble(histogram.getString(field));
  }

  /** Of one second of the steady series; no value of it is an edge. */
  private long valuesBetween(double low, double high) {
    RecordedSeries steady =
        servers.load().series().stream()
            .filter(each -> each.name().equals("steady") && each.labels().containsValue("a"))
            .findAny()
            .orElseThrow();
    return Arrays.stream(steady.seconds().get(0))
        .filter(value -> value >= low * 1e9 - 0.5 && value <= high * 1e9 + 0.5)
        .count();
  }

  @Test
  void number_asked_isAScalarAlsoIn1970() throws Exception {
    for (double time : List.of(4.0, at(ASKED_SECOND))) {
      JsonObject call = call("query").put("query", "1+1").put("time", time);

      assertThat(ofSidecar(call)).isEqualTo(ofPrometheus(call));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "steady_seconds",
        "steady_seconds_count",
        "steady_seconds_sum{pod=\"a\"}",
        "steady_seconds_bucket",
        "{__name__=~\"query_seconds|steady_seconds\"}",
        "demo_call_seconds{route!=\"/pay\",kind=~\"resp.*\"}",
        "no_such_metric",
      })
  void seriesAndLabels_thatMatch_areThoseOfPrometheus(String selector) throws Exception {
    JsonArray match = new JsonArray().add(selector);
    for (JsonObject call :
        List.of(
            call("series"),
            call("labels"),
            call("label_values").put("label", "pod"),
            call("label_values").put("label", "__name__"),
            call("label_values").put("label", "le"))) {
      call.put("match", match);
      assertThat(values(ofSidecar(call))).as("%s", call).isEqualTo(values(ofPrometheus(call)));
    }
  }

  private static Set<Object> values(JsonObject answer) {
    assertThat(answer.getString("error")).isNull();
    return answer.getJsonArray("value", new JsonArray()).stream().collect(Collectors.toSet());
  }

  @Test
  void metadata_ofAHistogram_saysSo() throws Exception {
    JsonObject metadata =
        ofSidecar(call("metadata").put("query", "steady_seconds")).getJsonObject("value");

    assertThat(metadata.getJsonArray("steady_seconds").getJsonObject(0).getString("type"))
        .isEqualTo("histogram");
  }

  @Test
  void buildInfo_read_hasAVersion() throws Exception {
    JsonObject info = ofSidecar(call("buildinfo")).getJsonObject("value");

    assertThat(info.getString("version")).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(steady_seconds)",
        "sum by (pod",
        "steady_seconds[5m",
        "histogram_quantile(steady_seconds, 0.9)",
        "no_such_function(steady_seconds)",
        "",
      })
  void query_thatIsNotPromQl_isRefusedAsByPrometheus(String query) throws Exception {
    JsonObject call = call("query").put("query", query).put("time", at(ASKED_SECOND));

    assertThat(ofSidecar(call).getString("errorType"))
        .isEqualTo(ofPrometheus(call).getString("errorType"))
        .isEqualTo("bad_data");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "predict_linear(steady_seconds_count[1m], 60)",
        "quantile_over_time(0.9, steady_window_seconds[1m])",
        "count_values(\"value\", steady_seconds_count)",
        "max_over_time(rate(steady_seconds_count[10s])[1m:10s])",
        "absent(steady_seconds)",
      })
  void query_thatIsNotAnswered_isRefusedWithWhatIs(String query) throws Exception {
    JsonObject call = call("query").put("query", query).put("time", at(ASKED_SECOND));

    JsonObject refused = ofSidecar(call);

    assertThat(refused.getString("errorType")).isEqualTo("execution");
    assertThat(refused.getString("error")).contains("histogram_quantile");
  }

  @Test
  void steps_moreThan11000_areRefusedAsByPrometheus() throws Exception {
    JsonObject call =
        call("query_range")
            .put("query", "histogram_count(rate(steady_seconds[1m]))")
            .put("step", 0.005);

    assertThat(ofSidecar(call).getString("errorType"))
        .isEqualTo(ofPrometheus(call).getString("errorType"));
    assertThat(ofSidecar(call).getString("error")).contains("11");
  }
}

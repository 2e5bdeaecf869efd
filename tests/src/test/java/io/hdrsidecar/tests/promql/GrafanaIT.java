package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sidecar as the address of a data source for Prometheus in Grafana: asked by Grafana's own
 * code, as its panels, variables, editor and alerts ask, beside a Prometheus that knows the same.
 */
@RequiresDocker
@RequiresPrograms({"grafana-prometheus", "prometheus-write"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GrafanaIT {
  private static final String POST = "{\"httpMethod\":\"POST\",\"timeInterval\":\"1s\"}";
  private static final String GET =
      "{\"httpMethod\":\"GET\",\"timeInterval\":\"1s\",\"queryTimeout\":\"30s\"}";

  private KnownServers servers;

  @BeforeAll
  void start() throws Exception {
    servers = KnownServers.start(2);
  }

  @AfterAll
  void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  private static JsonObject ask(String address, String settings, JsonObject call) throws Exception {
    return KnownServers.ask(List.of("grafana-prometheus", address, settings), List.of(call)).get(0);
  }

  private long at(int second) {
    return servers.load().originMillis() + second * 1000L;
  }

  /** Queries of a panel that shows the second minute of the load. */
  private JsonObject panel(JsonObject... models) {
    JsonArray queries = new JsonArray();
    char refId = 'A';
    for (JsonObject model : models) {
      queries.add(
          new JsonObject()
              .put("refId", String.valueOf(refId++))
              .put("intervalMs", 2000)
              .put("maxDataPoints", 30)
              .put("model", model));
    }
    return new JsonObject()
        .put("call", "query")
        .put("from", at(60))
        .put("to", at(120))
        .put("queries", queries);
  }

  private static JsonObject overTime(String query) {
    return new JsonObject().put("expr", query).put("range", true).put("legendFormat", "__auto");
  }

  private static JsonObject once(String query) {
    return new JsonObject().put("expr", query).put("instant", true).put("format", "table");
  }

  private static List<JsonObject> frames(JsonObject answer, String refId) {
    JsonObject result = answer.getJsonObject("results").getJsonObject(refId);
    assertThat(result.getString("error")).isNull();
    return result.getJsonArray("frames").stream().map(JsonObject.class::cast).toList();
  }

  private static JsonArray column(JsonObject frame, int field) {
    return frame.getJsonObject("data").getJsonArray("values").getJsonArray(field);
  }

  /** All of frames but their numbers: types, names, labels, what the panel is told of them. */
  private static List<String> shapes(List<JsonObject> frames) {
    return frames.stream()
        .map(frame -> frame.getJsonObject("schema").copy())
        .map(GrafanaIT::withoutNotices)
        .map(JsonObject::encode)
        .sorted()
        .toList();
  }

  /** What an answer covers is said by the sidecar alone. */
  private static JsonObject withoutNotices(JsonObject schema) {
    if (schema.containsKey("meta")) {
      schema.getJsonObject("meta").remove("notices");
      schema.getJsonObject("meta").remove("executedQueryString"); // of the first frame alone
    }
    return schema;
  }

  @ParameterizedTest
  @ValueSource(strings = {POST, GET})
  void saveAndTest_pressed_isGreen(String settings) throws Exception {
    JsonObject health = ask(servers.sidecar(), settings, new JsonObject().put("call", "health"));

    assertThat(health.getString("Message")).isEqualTo("Successfully queried the Prometheus API.");
    assertThat(health.getInteger("Status")).isEqualTo(1);
    byte[] details = Base64.getDecoder().decode(health.getString("JSONDetails"));
    assertThat(new String(details, StandardCharsets.UTF_8))
        .contains("\"application\":\"Prometheus\"", "\"rulerApiEnabled\":false");
  }

  @Test
  void panels_ofNumbersOverTime_getTheFramesOfPrometheus() throws Exception {
    JsonObject panel =
        panel(
            overTime(
                "histogram_quantile(0.99, sum by (kind)"
                    + " (rate(demo_call_seconds[$__rate_interval])))"),
            overTime("sum by (pod) (rate(steady_seconds_count[$__rate_interval]))")
                .put("legendFormat", "pod {{pod}}"),
            once("histogram_quantile(0.5, sum by (pod) (increase(steady_seconds[$__range])))"),
            once("histogram_avg(sum(rate(steady_seconds[${__range_s}s])))").put("range", true));
    for (String settings : List.of(POST, GET)) {
      JsonObject ours = ask(servers.sidecar(), settings, panel);
      JsonObject theirs = ask(servers.prometheus(), settings, panel);
      for (String refId : List.of("A", "B", "C", "D")) {
        assertThat(shapes(frames(ours, refId)))
            .as(refId)
            .isNotEmpty()
            .isEqualTo(shapes(frames(theirs, refId)));
        assertThat(column(frames(ours, refId).get(0), 0))
            .isEqualTo(column(frames(theirs, refId).get(0), 0));
      }
    }
  }

  @Test
  void heatMap_ofARate_hasACellForEachBucketWithItsCalls() throws Exception {
    JsonObject heatMap =
        overTime("sum(rate(steady_seconds{pod=\"a\"}[$__rate_interval]))")
            .put("format", "heatmap")
            .put("exemplar", true);

    JsonObject frame = frames(ask(servers.sidecar(), POST, panel(heatMap)), "A").get(0);

    JsonObject theirs = frames(ask(servers.prometheus(), POST, panel(heatMap)), "A").get(0);
    assertThat(shapes(List.of(frame))).isEqualTo(shapes(List.of(theirs)));
    assertThat(frame.getJsonObject("schema").getJsonObject("meta").getString("type"))
        .isEqualTo("heatmap-cells");
    assertThat(moments(frame)).isEqualTo(moments(theirs));
    RecordedSeries steady = steady();
    double calls = 0;
    for (int cell = 0; cell < column(frame, 0).size(); cell++) {
      double low = column(frame, 1).getDouble(cell);
      double high = column(frame, 2).getDouble(cell);
      long recorded =
          Arrays.stream(steady.seconds().get(0))
              .filter(value -> value >= low * 1e9 - 0.5 && value <= high * 1e9 + 0.5)
              .count();
      double count = column(frame, 3).getDouble(cell);
      assertThat(count)
          .as("calls a second from %s s to %s s", low, high)
          .isEqualTo((double) recorded);
      calls += count;
    }
    int moments = moments(frame).size();
    assertThat(calls).isEqualTo((double) moments * steady.seconds().get(0).length);
    System.out.printf(
        "promlib: heat map of %d cells at %d moments, %.0f calls a second each%n",
        column(frame, 0).size(), moments, calls / moments);
  }

  private static Set<Object> moments(JsonObject frame) {
    return column(frame, 0).stream().collect(Collectors.toSet());
  }

  private RecordedSeries steady() {
    return servers.load().series().stream()
        .filter(each -> each.name().equals("steady") && each.labels().containsValue("a"))
        .findAny()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"steady_seconds", "demo_call_seconds{kind=\"response\"}"})
  void variables_ofADashboard_haveTheValuesOfPrometheus(String selector) throws Exception {
    String form = form("match[]", selector);
    for (JsonObject call :
        List.of(
            resource("POST", "api/v1/labels", "", form),
            resource("POST", "api/v1/series", "", form),
            resource("GET", "api/v1/label/pod/values", form, ""),
            resource("GET", "api/v1/label/route/values", form + "&limit=40000", ""),
            resource("GET", "api/v1/label/__name__/values", form, ""),
            resource("POST", "suggestions", "", suggestions(selector)))) {
      JsonObject ours = ask(servers.sidecar(), POST, call);
      JsonObject theirs = ask(servers.prometheus(), POST, call);

      assertThat(ours.getInteger("status")).as("%s: %s", call, ours).isEqualTo(200);
      assertThat(data(ours)).as("%s", call).isEqualTo(data(theirs));
    }
  }

  private JsonObject resource(String method, String path, String parameters, String body) {
    return new JsonObject()
        .put("call", "resource")
        .put("method", method)
        .put("path", path)
        .put("url", parameters.isEmpty() ? path : path + "?" + parameters)
        .put("body", body);
  }

  private String form(String... namesAndValues) {
    Stream<String> range =
        Stream.of("start=" + at(0) / 1000, "end=" + at(RecordedLoad.SECONDS) / 1000);
    Stream<String> more =
        Stream.of(
            URLEncoder.encode(namesAndValues[0], StandardCharsets.UTF_8)
                + "="
                + URLEncoder.encode(namesAndValues[1], StandardCharsets.UTF_8));
    return Stream.concat(range, more).collect(Collectors.joining("&"));
  }

  private String suggestions(String selector) {
    return new JsonObject()
        .put("queries", new JsonArray().add("rate(" + selector + "[$__rate_interval])"))
        .put("start", Long.toString(at(0) / 1000))
        .put("end", Long.toString(at(RecordedLoad.SECONDS) / 1000))
        .put("limit", 100)
        .encode();
  }

  private static Set<Object> data(JsonObject answer) {
    return answer.getJsonObject("body").getJsonArray("data").stream().collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "histogram_quantile(0.99, sum(rate(steady_seconds{pod=\"b\"}[1m]))) > 0.02",
        "1 - histogram_fraction(0, 0.02, sum by (pod) (rate(steady_seconds[1m])))",
        "histogram_quantile(0.99, sum(rate(steady_seconds{pod=\"b\"}[1m]))) > 1000",
      })
  void alertRule_evaluated_getsTheNumbersOfPrometheus(String query) throws Exception {
    JsonObject rule = panel(new JsonObject().put("expr", query).put("instant", true));
    rule.put("fromAlert", true);

    List<JsonObject> ours = frames(ask(servers.sidecar(), POST, rule), "A");

    assertThat(shapes(ours)).isEqualTo(shapes(frames(ask(servers.prometheus(), POST, rule), "A")));
  }

  @Test
  void annotations_ofABreachedLimit_areTheMomentsOfIt() throws Exception {
    String query = "histogram_quantile(0.9, sum by (pod) (rate(steady_seconds[10s]))) > 0.03";
    JsonObject marks = panel(overTime(query).put("legendFormat", "{{pod}}").put("interval", "10s"));

    List<JsonObject> frames = frames(ask(servers.sidecar(), POST, marks), "A");

    assertThat(frames).hasSize(1);
    assertThat(column(frames.get(0), 0))
        .isEqualTo(column(frames(ask(servers.prometheus(), POST, marks), "A").get(0), 0));
  }

  @Test
  void query_thatIsNotAnswered_showsWhyInThePanel() throws Exception {
    JsonObject answer =
        ask(
            servers.sidecar(),
            POST,
            panel(overTime("deriv(steady_seconds_count[1m])"), overTime("rate(steady_seconds")));

    JsonObject results = answer.getJsonObject("results");
    assertThat(results.getJsonObject("A").getInteger("status")).isEqualTo(422);
    assertThat(results.getJsonObject("A").getString("error"))
        .startsWith("execution: ")
        .contains("deriv");
    assertThat(results.getJsonObject("B").getInteger("status")).isEqualTo(400);
    assertThat(results.getJsonObject("B").getString("error")).startsWith("bad_data: ");
  }
}

package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.api.RunningServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.History;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What there is to ask for, how it may be asked, and what is refused. */
class PrometheusCatalogApiTest {
  private static final String API = "/prometheus/api/v1/";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new RunningServer(1 << 20);
    server.store.past().keepIn(new History(1 << 20));
    server.upload("pay", "kind", "response");
    server.upload("pay", "kind", "service");
    server.upload("pause", "corrected", "");
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  private static JsonObject get(String pathAndQuery) throws Exception {
    return success(server.get(API + pathAndQuery));
  }

  private static JsonObject success(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private static JsonObject post(String path, String form, String contentType) throws Exception {
    return success(server.post(API + path, form.getBytes(StandardCharsets.UTF_8), contentType));
  }

  @Test
  void labels_areThoseOfSeriesAndOfTheirMetrics() throws Exception {
    assertThat(get("labels").getJsonArray("data"))
        .containsExactly("__name__", "kind", "le", "quantile", "window");
    assertThat(get("labels?match[]=pause_seconds").getJsonArray("data"))
        .containsExactly("__name__");
  }

  @Test
  void values_ofALabel_areInOrder() throws Exception {
    assertThat(get("label/kind/values").getJsonArray("data"))
        .containsExactly("response", "service");
    assertThat(get("label/__name__/values?limit=3").getJsonArray("data"))
        .containsExactly("pause_seconds", "pause_seconds_bucket", "pause_seconds_count");
    assertThat(get("label/__name__/values?limit=3").getJsonArray("warnings"))
        .containsExactly("results truncated due to limit");
    assertThat(get("label/nothing/values").getJsonArray("data")).isEmpty();
  }

  @Test
  void series_haveAllTheirLabels() throws Exception {
    JsonArray data =
        get("series?match[]=pay_seconds_bucket&match[]=pay_seconds").getJsonArray("data");

    assertThat(data).hasSize(2 * (12 + 1));
    assertThat(data)
        .contains(
            new JsonObject()
                .put("__name__", "pay_seconds_bucket")
                .put("kind", "service")
                .put("le", "1.0"));
  }

  @Test
  void metadata_saysTypes() throws Exception {
    JsonObject data = get("metadata?metric=pay_seconds").getJsonObject("data");

    assertThat(data.fieldNames()).containsExactly("pay_seconds");
    assertThat(data.getJsonArray("pay_seconds").getJsonObject(0).getString("type"))
        .isEqualTo("histogram");
  }

  @Test
  void buildInfo_hasAVersionAndNoFeatures() throws Exception {
    JsonObject data = get("status/buildinfo").getJsonObject("data");

    assertThat(data.getString("version")).isEqualTo("3.15.0");
    assertThat(data.containsKey("features")).isFalse();
  }

  @Test
  void exemplars_ofSeriesWithoutAny_areNone() throws Exception {
    assertThat(get("query_exemplars?query=pay_seconds_bucket&start=0&end=9").getJsonArray("data"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {FORM, FORM + "; charset=UTF-8", "Application/X-WWW-Form-Urlencoded"})
  void post_aForm_isTheSameQuery(String contentType) throws Exception {
    assertThat(post("query", "query=1%2B1&time=4&unknown=x", contentType).getJsonObject("data"))
        .isEqualTo(
            new JsonObject()
                .put("resultType", "scalar")
                .put("result", new JsonArray().add(4).add("2")));
    assertThat(post("labels", "match[]=pause_seconds", contentType).getJsonArray("data"))
        .containsExactly("__name__");
  }

  @Test
  void post_somethingElse_isRefused() throws Exception {
    assertThat(server.post(API + "query", new byte[] {'{'}, "application/json").statusCode())
        .isEqualTo(415);
    byte[] long1 = new byte[200_000];
    assertThat(server.post(API + "query", long1, FORM).statusCode()).isEqualTo(413);
    assertThat(
            server
                .text(
                    server.request(API + "query").method("PUT", BodyPublishers.ofString("query=1")))
                .statusCode())
        .isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          query?query=sum(                                 | 400 | bad_data  | 1:5: parse error: unexpected end of input
          query?query=                                     | 400 | bad_data  | no expression found in input
          query?query=foo(pay_seconds)                     | 400 | bad_data  | 1:1: parse error: unknown function with name "foo"
          query?query=rate(pay_seconds)                    | 400 | bad_data  | expected type range vector in call to function "rate"
          query?query=1&time=yesterday                     | 400 | bad_data  | invalid parameter "time": cannot parse "yesterday" to a valid timestamp
          query_range?query=1&start=9&end=8&step=1         | 400 | bad_data  | end timestamp must not be before start time
          query_range?query=1&start=0&end=8&step=0         | 400 | bad_data  | zero or negative query resolution step widths are not accepted
          query_range?query=1&start=0&end=11001&step=1     | 400 | bad_data  | exceeded maximum resolution of 11,000 points per timeseries
          query_range?query=1&start=-200000000-01-01T00:00:00Z&end=%2B200000000-01-01T00:00:00Z&step=1 | 400 | bad_data | to a valid timestamp
          query?query=1&time=1e18                          | 400 | bad_data  | cannot parse "1e18" to a valid timestamp
          query_range?query=pay_seconds[1m]&start=0&end=8&step=1 | 400 | bad_data | invalid expression type "range vector" for range query
          query?query=irate(pay_seconds[1m])               | 422 | execution | 1:1: function irate is not answered here; answered are
          query?query=1%2Bstddev(pay_seconds)              | 422 | execution | aggregation stddev is not answered here
          query?query=sum(rate(pay_seconds[1m]))           | 422 | execution | differ in the label kind
          query?query=avg(pay_window_seconds)&time=1       | 422 | execution | percentiles and other values of distributions are not added up
          query?query=sum(histogram_quantile(1,nobody))    | 422 | execution | 1:1: sum: percentiles and other values of distributions are not added up
          query?query=max_over_time(pay_window_seconds[1m])| 422 | execution | add quantile="1" to the selector
          query?query=rate(pay_window_seconds[1m])         | 422 | execution | gauges have no rate
          query?query=hdr_sidecar_series                   | 422 | execution | is one of the sidecar's own metrics
          query?query=max_over_time(sum(pay_seconds)[1m:]) | 422 | execution | a subquery is not answered here
          series                                           | 400 | bad_data  | no match[] parameter provided
          series?match[]=%7B%7D                            | 400 | bad_data  | at least one non-empty matcher
          rules                                            | 404 | not_found | no such path
          """)
  void mistakes_areToldAsPrometheusDoes(String asked, int status, String type, String message)
      throws Exception {
    HttpResponse<String> answer = server.get(API + asked.replace("[", "%5B").replace("]", "%5D"));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    JsonObject error = new JsonObject(answer.body());
    assertThat(error.getString("status")).isEqualTo("error");
    assertThat(error.getString("errorType")).isEqualTo(type);
    assertThat(error.getString("error")).contains(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nobody_seconds",
        "sum(rate(nobody_seconds[5m]))",
        "histogram_quantile(0.99, sum by (le) (rate(nobody_seconds_bucket[5m])))",
        "pay_seconds_bucket{le=\"0.123\"}"
      })
  void selector_thatMatchesNothing_givesAnEmptyVector(String query) throws Exception {
    JsonObject data = get("query?query=" + encoded(query)).getJsonObject("data");

    assertThat(data.getString("resultType")).isEqualTo("vector");
    assertThat(data.getJsonArray("result")).isEmpty();
  }
}

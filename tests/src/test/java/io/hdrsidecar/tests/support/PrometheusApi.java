package io.hdrsidecar.tests.support;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

/** A Prometheus server, asked over its HTTP API. */
public class PrometheusApi {
  private final HttpClient client = HttpClient.newHttpClient();
  private final String address;

  /** The one that listens on {@code host:port}. */
  public PrometheusApi(String address) {
    this.address = address;
  }

  /**
   * The value of an instant query that gives exactly one sample.
   *
   * @throws AssertionError when it gives none, or several
   */
  public double value(String query) throws Exception {
    JsonArray result = result(query);
    if (result.size() != 1) {
      throw new AssertionError(query + " gives " + result);
    }
    return Double.parseDouble(result.getJsonObject(0).getJsonArray("value").getString(1));
  }

  /** The samples of an instant query. */
  public JsonArray result(String query) throws Exception {
    return ((JsonObject) get("/api/v1/query", Map.of("query", query))).getJsonArray("result");
  }

  /** The series a selector matches that have exemplars, with those of the last hour. */
  public JsonArray exemplars(String selector) throws Exception {
    Instant now = Instant.now();
    Map<String, String> parameters =
        Map.of(
            "query",
            selector,
            "start",
            now.minusSeconds(3600).toString(),
            "end",
            now.plusSeconds(60).toString());
    return (JsonArray) get("/api/v1/query_exemplars", parameters);
  }

  /** The series of a query over a range of time that ends now. */
  public JsonArray result(String query, Duration range, Duration step) throws Exception {
    Instant now = Instant.now();
    Map<String, String> parameters =
        Map.of(
            "query",
            query,
            "start",
            now.minus(range).toString(),
            "end",
            now.toString(),
            "step",
            step.toSeconds() + "s");
    return ((JsonObject) get("/api/v1/query_range", parameters)).getJsonArray("result");
  }

  /** Where it listens: {@code http://127.0.0.1:9090}. */
  public String url() {
    return "http://" + address;
  }

  /**
   * The {@code data} of an answer of the HTTP API, an object or an array.
   *
   * @throws AssertionError when the answer is an error
   */
  public Object get(String path, Map<String, String> parameters) throws Exception {
    String query =
        parameters.entrySet().stream()
            .map(p -> p.getKey() + "=" + URLEncoder.encode(p.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    URI uri = URI.create("http://" + address + path + "?" + query.replace("[]", "%5B%5D"));
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError(path + " " + parameters + " is answered " + response.body());
    }
    return new JsonObject(response.body()).getValue("data");
  }
}

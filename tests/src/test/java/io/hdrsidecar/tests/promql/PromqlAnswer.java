package io.hdrsidecar.tests.promql;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a server says to a query, moment by moment, if it does not refuse it. */
record PromqlAnswer(int status, JsonObject body) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** An instant query; the address ends before {@code /api/v1}. */
  static PromqlAnswer at(String address, String query, long millis) throws Exception {
    return post(address + "/api/v1/query", Map.of("query", query, "time", seconds(millis)));
  }

  /** A range query. */
  static PromqlAnswer over(String address, String query, AskedMoments moments) throws Exception {
    Map<String, String> parameters =
        Map.of(
            "query",
            query,
            "start",
            seconds(moments.firstMillis()),
            "end",
            seconds(moments.lastMillis()),
            "step",
            seconds(moments.stepMillis()));
    return post(address + "/api/v1/query_range", parameters);
  }

  private static String seconds(long millis) {
    return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }

  private static PromqlAnswer post(String url, Map<String, String> parameters) throws Exception {
    String form =
        parameters.entrySet().stream()
            .map(p -> p.getKey() + "=" + URLEncoder.encode(p.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
    return new PromqlAnswer(response.statusCode(), new JsonObject(response.body()));
  }

  boolean isAnswered() {
    return status == 200;
  }

  /** PromQL, and not answered. */
  boolean isRefused() {
    return status == 422 && body.getString("errorType", "").equals("execution");
  }

  String error() {
    return body.getString("error", "");
  }

  JsonArray result() {
    return body.getJsonObject("data").getJsonArray("result");
  }

  /** The numbers by moment and labels; those that are none are left out. */
  Map<Long, Map<Map<String, String>, Double>> numbers() {
    Map<Long, Map<Map<String, String>, Double>> numbers = new TreeMap<>();
    for (Object each : result()) {
      JsonObject series = (JsonObject) each;
      Map<String, String> labels = new TreeMap<>();
      series
          .getJsonObject("metric")
          .forEach(label -> labels.put(label.getKey(), (String) label.getValue()));
      JsonArray samples = series.getJsonArray("values");
      if (samples == null) {
        samples = new JsonArray().add(series.getJsonArray("value"));
      }
      for (Object sample : samples) {
        JsonArray pair = (JsonArray) sample;
        long millis = Math.round(pair.getDouble(0) * 1000);
        double number = number(pair.getString(1));
        Map<Map<String, String>, Double> there =
            numbers.computeIfAbsent(millis, m -> new LinkedHashMap<>());
        if (!Double.isNaN(number) && there.put(labels, number) != null) {
          throw new AssertionError(labels + " twice in " + body);
        }
      }
    }
    return numbers;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}

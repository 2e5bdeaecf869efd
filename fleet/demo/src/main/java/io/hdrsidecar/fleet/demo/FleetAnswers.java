package io.hdrsidecar.fleet.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Asks programs of the fleet over HTTP. */
final class FleetAnswers {
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final ObjectMapper json = new ObjectMapper();

  /**
   * The text of an answer, if it is one of success.
   *
   * @throws IllegalStateException when the question is refused
   */
  Optional<String> text(URI program, String path) throws InterruptedException {
    try {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(program.resolve(path)).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == BAD_REQUEST) { // It will be no better for waiting.
        throw new IllegalStateException(path + " is refused: " + answer.body());
      }
      return answer.statusCode() == OK ? Optional.of(answer.body()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // It is not there yet, or no more.
    }
  }

  /** All since counting began of the series with these labels; nothing if it is not there. */
  Optional<FleetStatistics> total(URI node, String selector) throws InterruptedException {
    return statistics(node, selector, "&window=total");
  }

  /** The same of a time, or with other parameters. */
  Optional<FleetStatistics> statistics(URI node, String selector, String parameters)
      throws InterruptedException {
    String series = URLEncoder.encode(selector, StandardCharsets.UTF_8);
    return text(
            node,
            "/api/v1/histogram?series="
                + series
                + "&buckets=true&percentiles=50,90,99,99.9"
                + parameters)
        .map(body -> statistics(data(body)));
  }

  private static FleetStatistics statistics(JsonNode data) {
    Map<Double, Long> percentiles = new TreeMap<>();
    data.get("percentiles")
        .forEach(p -> percentiles.put(p.get("percentile").asDouble(), p.get("value").asLong()));
    Map<Long, Long> buckets = new TreeMap<>();
    data.get("buckets")
        .forEach(b -> buckets.put(b.get("highest").asLong(), b.get("count").asLong()));
    BigInteger sum = data.get("sum").bigIntegerValue();
    return new FleetStatistics(
        data.get("count").asLong(),
        sum,
        data.get("min").asLong(),
        data.get("max").asLong(),
        percentiles,
        buckets);
  }

  private JsonNode data(String body) {
    try {
      return json.readTree(body).get("data");
    } catch (IOException e) {
      throw new IllegalStateException("not JSON: " + body, e);
    }
  }

  /**
   * Values that a sidecar has merged and the gateway has not acknowledged; less than 0: unknown.
   */
  long waitingValues(URI sidecar) throws InterruptedException {
    return text(sidecar, "/api/v1/status")
        .map(body -> data(body).get("upstream").get("waitingValues").asLong())
        .orElse(-1L);
  }
}

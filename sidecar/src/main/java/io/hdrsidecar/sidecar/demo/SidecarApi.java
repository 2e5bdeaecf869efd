package io.hdrsidecar.sidecar.demo;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Asks the sidecar over HTTP, as curl would. */
final class SidecarApi {
  /** The percentiles the demo shows. */
  private static final String PERCENTILES = "50,90,99,99.9,99.99";

  private final URI base;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * An API.
   *
   * @param base such as {@code http://127.0.0.1:9925}
   */
  SidecarApi(URI base) {
    this.base = base;
  }

  /** Where the statistics of a series come from. */
  URI histogram(String selector, String window) {
    return base.resolve(
        "/api/v1/histogram?series="
            + URLEncoder.encode(selector, StandardCharsets.UTF_8)
            + "&window="
            + window
            + "&percentiles="
            + PERCENTILES);
  }

  /** The page that people look at. */
  URI explorer() {
    return base.resolve("/");
  }

  /** The same statistics since the start, as people write it: a URL for {@code curl -g}. */
  String shown(CallKind kind) {
    return base.resolve("/api/v1/histogram")
        + ("?series=" + kind.selector() + "&percentiles=" + PERCENTILES);
  }

  /** Where Prometheus scrapes. */
  URI metrics() {
    return base.resolve("/metrics");
  }

  /**
   * What was counted, or nothing when nothing was.
   *
   * @param selector of a series: {@code demo_call{kind="service"}}
   * @param window name of a window, or {@code total}
   * @throws IOException when the sidecar does not answer, or not with success
   */
  Optional<SeriesStatistics> statistics(String selector, String window)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(histogram(selector, window)).timeout(Duration.ofSeconds(10)).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() == 404) {
      return Optional.empty(); // no interval of the series has come yet
    }
    if (response.statusCode() != 200) {
      throw new IOException(
          request.uri() + " answered " + response.statusCode() + ": " + response.body());
    }
    JsonObject data = new JsonObject(response.body()).getJsonObject("data");
    return data.getLong("count") == 0 ? Optional.empty() : Optional.of(SeriesStatistics.of(data));
  }
}

package io.hdrsidecar.tests.chaos;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What a sidecar shows: one page of {@code /metrics}, and the API for each series. */
final class Exposition {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "^chaos_seconds_(?<what>count|sum)\\{run=\"(?<run>\\w+)\",series=\"(?<series>\\d+)\"}"
              + " (?<value>\\S+)$",
          Pattern.MULTILINE);
  private static final String BINARY = "application/octet-stream";
  private static final double NANOS = 1e9;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI http;
  private final Map<String, Double> page = new HashMap<>();

  private Exposition(URI http) {
    this.http = http;
  }

  /** Fetches the page. */
  static Exposition of(URI http) {
    Exposition exposition = new Exposition(http);
    byte[] page = exposition.get("/metrics", "text/plain;version=0.0.4").join();
    Matcher sample = SAMPLE.matcher(new String(page, StandardCharsets.UTF_8));
    while (sample.find()) {
      exposition.page.put(
          key(sample.group("what"), sample.group("run"), sample.group("series")),
          Double.parseDouble(sample.group("value")));
    }
    return exposition;
  }

  private static String key(String what, String run, String series) {
    return String.join(" ", what, run, series);
  }

  /** All series of one process, asked for at the same time: on a busy machine each is a wait. */
  List<ExposedSeries> series(String run) throws DataFormatException {
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    for (int series = 0; series < ChaosClient.SERIES; series++) {
      answers.add(
          isOnPage(run, series)
              ? get(path(run, series), BINARY)
              : CompletableFuture.completedFuture(new byte[0]));
    }
    List<ExposedSeries> exposed = new ArrayList<>();
    for (int series = 0; series < ChaosClient.SERIES; series++) {
      byte[] answer = answers.get(series).join();
      exposed.add(answer.length == 0 ? ExposedSeries.NONE : series(run, series, answer));
    }
    return exposed;
  }

  private boolean isOnPage(String run, int series) {
    return page.containsKey(key("count", run, ChaosClient.label(series)));
  }

  private static String path(String run, int series) {
    String selector =
        ChaosClient.METRIC + "{run=\"" + run + "\",series=\"" + ChaosClient.label(series) + "\"}";
    return "/api/v1/histogram?window=total&format=v2&series="
        + URLEncoder.encode(selector, StandardCharsets.UTF_8);
  }

  private ExposedSeries series(String run, int series, byte[] encoded) throws DataFormatException {
    String label = ChaosClient.label(series);
    Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 1);
    return new ExposedSeries(
        Buckets.of(histogram),
        Math.round(page.getOrDefault(key("count", run, label), Double.NaN)),
        Math.round(page.getOrDefault(key("sum", run, label), Double.NaN) * NANOS));
  }

  private CompletableFuture<byte[]> get(String path, String accept) {
    HttpRequest request =
        HttpRequest.newBuilder(http.resolve(path))
            .timeout(TIMEOUT)
            .header("Accept", accept)
            .build();
    return client
        .sendAsync(request, BodyHandlers.ofByteArray())
        .thenApply(response -> body(path, response));
  }

  private static byte[] body(String path, HttpResponse<byte[]> response) {
    if (response.statusCode() != 200) {
      String text = new String(response.body(), StandardCharsets.UTF_8);
      throw new AssertionError(path + " answered " + response.statusCode() + ": " + text);
    }
    return response.body();
  }
}

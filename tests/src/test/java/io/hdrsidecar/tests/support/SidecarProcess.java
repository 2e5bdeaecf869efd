package io.hdrsidecar.tests.support;

import io.hdrsidecar.benchmarks.process.ProcessUsage;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A sidecar in a process of its own, and its HTTP API. */
public final class SidecarProcess {
  private static final Pattern READY =
      Pattern.compile("ready.*ingest=(?<ingest>t(cp|ls)://\\S+).*http=(?<http>https?://\\S+)");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final JavaProcess process;
  private final String ingestAddress;
  private final URI http;
  private final HttpClient client = HttpClient.newHttpClient();

  private SidecarProcess(JavaProcess process, String ingestAddress, URI http) {
    this.process = process;
    this.ingestAddress = ingestAddress;
    this.http = http;
  }

  static SidecarProcess awaitReady(JavaProcess process) throws InterruptedException {
    Matcher ready = process.awaitLine(READY);
    return new SidecarProcess(process, ready.group("ingest"), URI.create(ready.group("http")));
  }

  /** Where clients send: {@code tcp://127.0.0.1:41234}. */
  public String ingestAddress() {
    return ingestAddress;
  }

  /** Port of the HTTP server. */
  public int httpPort() {
    return http.getPort();
  }

  /** Sends a signal: {@code STOP}, {@code CONT}. */
  public void signal(String name) throws IOException, InterruptedException {
    process.signal(name);
  }

  /** Ends it as {@code kill -9} does. */
  public void kill() {
    process.kill();
  }

  /** The page that Prometheus scrapes, as text. */
  public String metrics() throws IOException, InterruptedException {
    return ok(request("/metrics").build());
  }

  /**
   * The same for somebody who waits no longer than this.
   *
   * @throws java.net.http.HttpTimeoutException when the answer does not begin in that time
   */
  public String metrics(Duration patience) throws IOException, InterruptedException {
    return ok(request("/metrics").timeout(patience).build());
  }

  /** The {@code data} of {@code /api/v1/status}. */
  public JsonObject status() throws IOException, InterruptedException {
    return new JsonObject(ok(request("/api/v1/status").build())).getJsonObject("data");
  }

  /** Bytes of a line of {@code /proc/<pid>/status}, such as {@code VmHWM}, its peak in memory. */
  public long memoryBytes(String line) throws IOException {
    return new ProcessUsage(process.pid()).bytes(line);
  }

  /** How many files and connections it has open. */
  public long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return files.count();
    }
  }

  /** Waits until it has written a line in which this is found. */
  public Matcher awaitLine(Pattern pattern) throws InterruptedException {
    return process.awaitLine(pattern);
  }

  /** All that it has printed. */
  public String output() {
    return process.output();
  }

  /**
   * The {@code data} of an answer to {@code /api/v1/histogram}, since the start of the sidecar.
   *
   * @param more further parameters, such as {@code &buckets=true}, or nothing
   */
  public JsonObject total(String selector, String more) throws IOException, InterruptedException {
    return histogram(selector, "&window=total" + more);
  }

  /** The same, if any series matches. */
  public Optional<JsonObject> totalIfAny(String selector, String more)
      throws IOException, InterruptedException {
    HttpRequest request = request(histogramPath(selector) + "&window=total" + more).build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    return response.statusCode() == 404
        ? Optional.empty()
        : Optional.of(new JsonObject(ok(request, response)).getJsonObject("data"));
  }

  /** As {@link #total} with parameters as given; all begin with {@code &}. */
  public JsonObject histogram(String selector, String parameters)
      throws IOException, InterruptedException {
    HttpRequest request = request(histogramPath(selector) + parameters).build();
    return new JsonObject(ok(request)).getJsonObject("data");
  }

  private static String histogramPath(String selector) {
    return "/api/v1/histogram?series=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
  }

  /** What {@code curl --data-binary @file} does; gives the {@code data} of the answer. */
  public JsonObject post(String pathAndQuery, Path file) throws IOException, InterruptedException {
    HttpRequest request =
        request(pathAndQuery)
            .header("Content-Type", "application/x-www-form-urlencoded") // as curl says
            .POST(HttpRequest.BodyPublishers.ofFile(file))
            .build();
    return new JsonObject(ok(request)).getJsonObject("data");
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    return HttpRequest.newBuilder(http.resolve(pathAndQuery)).timeout(TIMEOUT);
  }

  private String ok(HttpRequest request) throws IOException, InterruptedException {
    return ok(request, client.send(request, BodyHandlers.ofString()));
  }

  private static String ok(HttpRequest request, HttpResponse<String> response) {
    if (response.statusCode() != 200) {
      throw new AssertionError(
          request.uri() + " answered " + response.statusCode() + ": " + response.body());
    }
    return response.body();
  }
}

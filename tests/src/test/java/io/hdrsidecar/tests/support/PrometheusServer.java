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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.containers.wait.strategy.WaitAllStrategy;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A Prometheus server that scrapes one or more sidecars each second, native histograms included.
 *
 * <p>It shares the network of the host, since the sidecar listens on loopback only; so it needs a
 * Docker engine on the machine of the test.
 */
public final class PrometheusServer implements AutoCloseable {
  private static final DockerImageName IMAGE = DockerImageName.parse("prom/prometheus:v3.15.0");
  private static final String CONFIG = "/etc/prometheus/prometheus.yml";
  private static final String RULES = "/etc/prometheus/rules.yml";

  /** So long that only a fault reaches it, also on a busy machine. */
  private static final Duration TIME_TO_START = Duration.ofMinutes(3);

  private static final Pattern LISTENING =
      Pattern.compile("\"Listening on\".*address=(127\\.0\\.0\\.1:\\d+)");

  private final GenericContainer<?> container;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String address;

  private PrometheusServer(GenericContainer<?> container) {
    this.container = container;
    Matcher matcher = LISTENING.matcher(container.getLogs());
    if (!matcher.find()) {
      throw new AssertionError("no address in the log of Prometheus: " + container.getLogs());
    }
    this.address = matcher.group(1);
  }

  /** Starts one; port 0 in its own flag lets it take a free one. */
  public static PrometheusServer scraping(int sidecarHttpPort) {
    return start(
        """
        global:
          scrape_interval: 1s
          scrape_native_histograms: true
        scrape_configs:
          - job_name: sidecar
            static_configs:
              - targets: ["127.0.0.1:%d"]
        """
            .formatted(sidecarHttpPort),
        "groups: []");
  }

  /**
   * Starts one for the sidecars of several pods, with the labels that a PodMonitor gives, and with
   * rules, which it evaluates each second.
   *
   * @param httpPorts of the sidecars, by pod
   */
  public static PrometheusServer scraping(
      String namespace, String job, Map<String, Integer> httpPorts, String rules) {
    return scrapingJobs(job(namespace, job, httpPorts), rules);
  }

  /** Of the sidecars of several pods, an entry of {@code scrape_configs}. */
  public static String job(String namespace, String job, Map<String, Integer> httpPorts) {
    StringBuilder targets = new StringBuilder();
    httpPorts.forEach(
        (pod, port) ->
            targets.append(
                "      - {targets: [\"127.0.0.1:%d\"], labels: {namespace: %s, pod: %s}}\n"
                    .formatted(port, namespace, pod)));
    return "  - job_name: %s\n    static_configs:\n%s".formatted(job, targets);
  }

  /**
   * The same for any jobs.
   *
   * @param jobs the entries of {@code scrape_configs}
   */
  public static PrometheusServer scrapingJobs(String jobs, String rules) {
    return start(
        """
        global:
          scrape_interval: 1s
          evaluation_interval: 1s
          scrape_native_histograms: true
        rule_files: ["%s"]
        scrape_configs:
        %s\
        """
            .formatted(RULES, jobs),
        rules);
  }

  private static PrometheusServer start(String config, String rules) {
    GenericContainer<?> container =
        new GenericContainer<>(IMAGE)
            .withNetworkMode("host")
            .withCopyToContainer(Transferable.of(config), CONFIG)
            .withCopyToContainer(Transferable.of(rules), RULES)
            .withCommand(
                "--config.file=" + CONFIG,
                "--storage.tsdb.path=/prometheus",
                "--enable-feature=exemplar-storage",
                "--web.listen-address=127.0.0.1:0")
            .waitingFor(
                // Ready and listening are told by two threads, in either order.
                new WaitAllStrategy()
                    .withStrategy(Wait.forLogMessage(".*Server is ready to receive.*", 1))
                    .withStrategy(Wait.forLogMessage(".*Listening on.*", 1))
                    .withStartupTimeout(TIME_TO_START));
    container.start();
    return new PrometheusServer(container);
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

  /** Everything {@code promtool check metrics} says about a page; nothing when it likes it. */
  public String promtoolCheck(String page) throws Exception {
    container.copyFileToContainer(Transferable.of(page), "/tmp/page");
    ExecResult result =
        container.execInContainer("sh", "-c", "promtool check metrics </tmp/page 2>&1");
    return result.getStdout() + (result.getExitCode() == 0 ? "" : "exit " + result.getExitCode());
  }

  /** Puts a file where {@link #run} can read it. */
  public void copyIn(String text, String path) {
    container.copyFileToContainer(Transferable.of(text), path);
  }

  /**
   * What a shell command prints in the container, where promtool is.
   *
   * @throws AssertionError when it fails
   */
  public String run(String command) throws Exception {
    ExecResult result = container.execInContainer("sh", "-c", command);
    if (result.getExitCode() != 0) {
      throw new AssertionError(command + " failed: " + result.getStdout() + result.getStderr());
    }
    return result.getStdout();
  }

  @Override
  public void close() {
    container.stop();
  }
}

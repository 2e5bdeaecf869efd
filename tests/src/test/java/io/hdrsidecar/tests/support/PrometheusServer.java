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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A Prometheus server that scrapes one sidecar each second, native histograms included.
 *
 * <p>It shares the network of the host, since the sidecar listens on loopback only; so it needs a
 * Docker engine on the machine of the test.
 */
public final class PrometheusServer implements AutoCloseable {
  private static final DockerImageName IMAGE = DockerImageName.parse("prom/prometheus:v3.15.0");
  private static final String CONFIG = "/etc/prometheus/prometheus.yml";
  private static final Pattern LISTENING =
      Pattern.compile("\"Listening on\".*address=(127\\.0\\.0\\.1:\\d+)");

  private final GenericContainer<?> container;
  private final HttpClient client = HttpClient.newHttpClient();

  private PrometheusServer(GenericContainer<?> container) {
    this.container = container;
  }

  /** Starts one; port 0 in its own flag lets it take a free one. */
  public static PrometheusServer scraping(int sidecarHttpPort) {
    String config =
        """
        global:
          scrape_interval: 1s
          scrape_native_histograms: true
        scrape_configs:
          - job_name: sidecar
            static_configs:
              - targets: ["127.0.0.1:%d"]
        """
            .formatted(sidecarHttpPort);
    GenericContainer<?> container =
        new GenericContainer<>(IMAGE)
            .withNetworkMode("host")
            .withCopyToContainer(Transferable.of(config), CONFIG)
            .withCommand(
                "--config.file=" + CONFIG,
                "--storage.tsdb.path=/prometheus",
                "--enable-feature=exemplar-storage",
                "--web.listen-address=127.0.0.1:0")
            .waitingFor(Wait.forLogMessage(".*Server is ready to receive web requests.*", 1));
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
    return ask("query?query=" + encoded(query)).getJsonObject("data").getJsonArray("result");
  }

  /** The series a selector matches that have exemplars, with those of the last hour. */
  public JsonArray exemplars(String selector) throws Exception {
    long now = System.currentTimeMillis() / 1000;
    String times = "&start=" + (now - 3600) + "&end=" + (now + 60);
    return ask("query_exemplars?query=" + encoded(selector) + times).getJsonArray("data");
  }

  private static String encoded(String query) {
    return URLEncoder.encode(query, StandardCharsets.UTF_8);
  }

  private JsonObject ask(String question) throws Exception {
    URI uri = URI.create("http://" + address() + "/api/v1/" + question);
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError(question + " is answered " + response.body());
    }
    return new JsonObject(response.body());
  }

  private String address() {
    Matcher matcher = LISTENING.matcher(container.getLogs());
    if (!matcher.find()) {
      throw new AssertionError("no address in the log of Prometheus: " + container.getLogs());
    }
    return matcher.group(1);
  }

  /** Everything {@code promtool check metrics} says about a page; nothing when it likes it. */
  public String promtoolCheck(String page) throws Exception {
    container.copyFileToContainer(Transferable.of(page), "/tmp/page");
    ExecResult result =
        container.execInContainer("sh", "-c", "promtool check metrics </tmp/page 2>&1");
    return result.getStdout() + (result.getExitCode() == 0 ? "" : "exit " + result.getExitCode());
  }

  @Override
  public void close() {
    container.stop();
  }
}

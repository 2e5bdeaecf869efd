package io.hdrsidecar.tests.support;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
public final class PrometheusServer extends PrometheusApi implements AutoCloseable {
  private static final DockerImageName IMAGE = DockerImageName.parse("prom/prometheus:v3.15.0");
  private static final String CONFIG = "/etc/prometheus/prometheus.yml";
  private static final String RULES = "/etc/prometheus/rules.yml";

  /** So long that only a fault reaches it, also on a busy machine. */
  private static final Duration TIME_TO_START = Duration.ofMinutes(3);

  private static final Pattern LISTENING =
      Pattern.compile("\"Listening on\".*address=(127\\.0\\.0\\.1:\\d+)");

  private final GenericContainer<?> container;

  private PrometheusServer(GenericContainer<?> container) {
    super(addressIn(container.getLogs()));
    this.container = container;
  }

  private static String addressIn(String log) {
    Matcher matcher = LISTENING.matcher(log);
    if (!matcher.find()) {
      throw new AssertionError("no address in the log of Prometheus: " + log);
    }
    return matcher.group(1);
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
                "--web.enable-remote-write-receiver",
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

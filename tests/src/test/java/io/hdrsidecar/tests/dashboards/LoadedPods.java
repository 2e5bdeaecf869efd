package io.hdrsidecar.tests.dashboards;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two pods, each an application under load and its sidecar, a sidecar above both, and a Prometheus
 * that has watched the two for a while. In the middle third of it some calls take very long in the
 * first pod; in the last third the second pod's application stands still as a whole now and then,
 * as a container without a processor does.
 */
final class LoadedPods implements AutoCloseable {
  /** What SLA rules there are: of the series that {@link PodLoad} records. */
  private static final String SLAS =
      """
      slas:
        - name: checkout
          selector: checkout{kind="response"}
          limits:
            50%: 20ms
            90%: 50ms
            99.9%: 500ms
            100%: 2s
          objective: 99.9%
        - name: query
          selector: query{corrected=""}
          limits:
            99%: 50ms
            100%: 1s
          objective: 99%
      """;

  private static final Duration STANDSTILL = Duration.ofMillis(400);
  private static final Duration BETWEEN_STANDSTILLS = Duration.ofSeconds(15);

  /** Beyond the time of watching; so long that only a fault reaches it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Nobody listens there: metrics of the export are there all the same. */
  private static final String RECEIVER = "http://127.0.0.1:1";

  private final SidecarProcess fleet;
  private final Map<String, SidecarProcess> sidecars = new LinkedHashMap<>();
  private final List<Process> applications = new ArrayList<>();
  private final PrometheusServer prometheus;
  private final Thread standstills;

  private LoadedPods(Path directory, String rules, Duration story) throws Exception {
    this.fleet = new Processes().sidecar(0);
    try {
      Path slas = Files.writeString(directory.resolve("slas.yaml"), SLAS);
      Map<String, Integer> ports = new LinkedHashMap<>();
      for (String pod : List.of("shop-a", "shop-b")) {
        SidecarProcess sidecar =
            new Processes()
                .sidecar(
                    0,
                    "--windows=10s,1m",
                    "--sla-file=" + slas,
                    "--journal-directory=" + directory.resolve(pod),
                    "--spill-folder=" + Files.createDirectory(directory.resolve(pod + "-spill")),
                    "--crash-folder=" + Files.createDirectory(directory.resolve(pod + "-crash")),
                    "--statsd-udp-address=127.0.0.1:0",
                    "--otlp-address=127.0.0.1:0",
                    "--export-otlp-address=" + RECEIVER,
                    "--upstream-address=" + fleet.ingestAddress());
        sidecars.put(pod, sidecar);
        ports.put(pod, sidecar.httpPort());
        applications.add(load(sidecar, story, pod.equals("shop-a") ? 700 : 0));
      }
      this.prometheus = PrometheusServer.scraping("web", "shop", ports, rules);
      this.standstills =
          new Thread(() -> stopNowAndThen(applications.get(1), story), "standstills of shop-b");
    } catch (Exception e) {
      stopProcesses();
      throw e;
    }
    standstills.start();
  }

  /**
   * Starts everything and waits until it has been watched that long.
   *
   * @param directory for journals and files of settings
   */
  static LoadedPods watched(Path directory, String rules, Duration watched) throws Exception {
    LoadedPods pods = new LoadedPods(directory, rules, watched);
    try {
      pods.awaitWatched(watched);
      return pods;
    } catch (Exception | AssertionError e) {
      pods.close();
      throw e;
    }
  }

  private static Process load(SidecarProcess sidecar, Duration story, int longCallMillis)
      throws IOException {
    List<String> arguments =
        List.of(
            sidecar.ingestAddress(),
            Long.toString(story.toSeconds()),
            Integer.toString(longCallMillis));
    List<String> options = new ArrayList<>(Launch.SHORT_LIVED);
    options.add("-Xmx64m");
    return Launch.builder(Launch.program(options, PodLoad.class, arguments))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void stopNowAndThen(Process application, Duration story) {
    LockSupport.parkNanos(story.multipliedBy(2).dividedBy(3).toNanos());
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(BETWEEN_STANDSTILLS.toNanos());
      signal(application, "STOP");
      LockSupport.parkNanos(STANDSTILL.toNanos());
      signal(application, "CONT");
    }
  }

  private static void signal(Process process, String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** By the samples there are, not by the clock. */
  private void awaitWatched(Duration watched) throws Exception {
    String samples =
        "(min(count_over_time(hdr_sidecar_build_info[1h])) and on () (count(up == 1) == 2))";
    long deadline = System.nanoTime() + watched.plus(PATIENCE).toNanos();
    while (prometheus.result(samples + " >= " + watched.toSeconds()).isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not scraped " + watched.toSeconds() + " times");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    }
  }

  PrometheusServer prometheus() {
    return prometheus;
  }

  /** The sidecars, by pod. */
  Map<String, SidecarProcess> sidecars() {
    return sidecars;
  }

  @Override
  public void close() {
    standstills.interrupt();
    prometheus.close();
    stopProcesses();
  }

  private void stopProcesses() {
    applications.forEach(application -> application.destroyForcibly().onExit().join());
    sidecars.values().forEach(SidecarProcess::kill);
    fleet.kill();
  }
}

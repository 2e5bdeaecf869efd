package io.hdrsidecar.tests.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Four pods, a sidecar each with an application that records, and the webhook. Each can be given a
 * trouble of its own, and be rid of it.
 */
final class TroubledPods implements AutoCloseable {
  private static final String SLA =
      """
      slas:
        - name: checkout
          selector: checkout
          limits: {99%: 50ms, 100%: none}
          objective: 99%
      """;

  private static final Duration WITHIN_THE_LIMIT = Duration.ofMillis(5);
  private static final Duration OVER_THE_LIMIT = Duration.ofMillis(200);

  /** Windows of so many series take more than the sidecar of pod c has for series. */
  private static final int MANY_SERIES = 1_000;

  private static final Pattern READY = Pattern.compile("event=ready https=https://\\S+:(\\d+)");

  private final Processes processes;
  private final Path folder;
  private final ReservedPort ingest = new ReservedPort();
  private final ReservedPort http = new ReservedPort();
  private final SidecarProcess a;
  private final SidecarProcess b;
  private final SidecarProcess c;
  private final SidecarProcess d;
  private final JavaProcess webhook;
  private final Calls callsOfA;
  private final Calls callsOfB;
  private final Calls callsOfC;
  private final Calls callsOfD;

  /** Starts them all, without trouble. */
  TroubledPods(Processes processes, Path folder) throws Exception {
    this.processes = processes;
    this.folder = folder;
    giveRules(SLA);
    Path rulesOfA = Files.writeString(folder.resolve("a.yaml"), SLA);
    a = processes.sidecar(0, "--windows=10s", "--sla-file=" + rulesOfA);
    b = processes.sidecarOn(ingest.number(), http.number());
    c = processes.sidecar(0, "--series-max-memory=2MiB", "--series-idle-expiry=3s");
    d =
        processes.sidecar(
            0,
            "--windows=10s",
            "--sla-file=" + rulesOfD(),
            "--reload=true",
            "--reload-interval=1s");
    makeCertificate(30);
    webhook =
        processes.start(
            List.of(
                "inject",
                "--host=127.0.0.1",
                "--port=0",
                "--tls-certificate=" + folder.resolve("tls.crt"),
                "--tls-key=" + folder.resolve("tls.key")));
    callsOfA = new Calls(a.ingestAddress());
    callsOfB = new Calls(b.ingestAddress());
    callsOfC = new Calls(c.ingestAddress());
    callsOfD = new Calls(d.ingestAddress());
  }

  /** The jobs by which Prometheus scrapes them. */
  String jobs() throws InterruptedException {
    Map<String, Integer> ports =
        Map.of(
            "shop-a", a.httpPort(),
            "shop-b", b.httpPort(),
            "shop-c", c.httpPort(),
            "shop-d", d.httpPort());
    return PrometheusServer.job("web", "shop", ports)
        + """
          - job_name: hdr-sidecar-inject
            scheme: https
            tls_config: {insecure_skip_verify: true}
            static_configs:
              - {targets: ["127.0.0.1:%s"], labels: {namespace: hdr-sidecar, pod: webhook}}
        """
            .formatted(webhook.awaitLine(READY).group(1));
  }

  /**
   * Calls of a over their limit, b killed, memory of c short, a mistake in the rules of d, and the
   * certificate of the webhook near its end.
   */
  void begin() throws Exception {
    callsOfA.take(OVER_THE_LIMIT);
    b.kill();
    callsOfC.useRoutes(MANY_SERIES);
    giveRules(SLA.replace("selector", "selektor"));
    makeCertificate(10);
  }

  /** Ends what {@link #begin} began. */
  void end() throws Exception {
    callsOfA.take(WITHIN_THE_LIMIT);
    processes.sidecarOn(ingest.number(), http.number());
    callsOfC.useRoutes(1);
    giveRules(SLA);
    makeCertificate(365);
  }

  private Path rulesOfD() {
    return folder.resolve("d.yaml");
  }

  private void giveRules(String rules) throws IOException {
    Files.writeString(rulesOfD(), rules);
  }

  private void makeCertificate(int days) throws InterruptedException {
    JavaProcess made =
        processes.start(
            List.of(
                "inject", "certificates", "--dns=localhost", "--days=" + days, "--out=" + folder));
    assertThat(made.awaitExit()).as(made.toString()).isZero();
  }

  /** Ends the applications; the processes end with their test. */
  @Override
  public void close() throws IOException {
    for (Calls calls : List.of(callsOfA, callsOfB, callsOfC, callsOfD)) {
      calls.close();
    }
    ingest.close();
    http.close();
  }
}

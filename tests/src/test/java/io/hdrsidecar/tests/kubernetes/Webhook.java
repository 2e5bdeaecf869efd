package io.hdrsidecar.tests.kubernetes;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code hdr-sidecar inject} in a process of its own, with a certificate that {@code inject
 * certificates} has made for it, and the manifests that register it.
 */
final class Webhook implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("event=ready https=https://\\S+:(\\d+)");
  private static final Path MANIFESTS = Path.of("..", "k8s", "inject");

  private final Path folder;
  private final JavaProcess process;
  private final int port;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client;

  private Webhook(Path folder, JavaProcess process, int port) {
    this.folder = folder;
    this.process = process;
    this.port = port;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setTrustOptions(new PemTrustOptions().addCertPath(authority().toString())));
  }

  /** Makes certificates, starts the process and waits until it is ready. */
  static Webhook start() throws IOException, InterruptedException {
    Path target = Path.of("target").toAbsolutePath();
    Path folder = Files.createTempDirectory(target, "inject");
    copy(MANIFESTS, folder);
    Path made = folder.resolve("self-signed");
    JavaProcess certificates =
        JavaProcess.start(List.of("inject", "certificates", "--dns=localhost", "--out=" + made));
    if (certificates.awaitExit() != 0) {
      throw new IllegalStateException("no certificates: " + certificates);
    }
    JavaProcess process =
        JavaProcess.start(
            List.of(
                "inject",
                "--host=127.0.0.1",
                "--port=0",
                "--drain=0s",
                "--tls-certificate=" + made.resolve("tls.crt"),
                "--tls-key=" + made.resolve("tls.key")));
    int port = Integer.parseInt(process.awaitLine(READY).group(1));
    return new Webhook(folder, process, port);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  /** A copy of the manifests, with certificates. */
  Path manifests() {
    return folder;
  }

  Path certificate() {
    return folder.resolve("self-signed").resolve("tls.crt");
  }

  Path key() {
    return folder.resolve("self-signed").resolve("tls.key");
  }

  Path authority() {
    return folder.resolve("self-signed").resolve("ca.crt");
  }

  /**
   * The webhook configuration of the manifests for some namespaces alone, as other tests use the
   * same API server. It names this process by its address, because no network of a cluster is there
   * that a service could be in.
   */
  String registration(String name, List<String> namespaces) throws Exception {
    Map<String, Object> configuration =
        Manifests.objects(Manifests.rendered(folder.resolve("self-signed").toString())).stream()
            .filter(object -> "MutatingWebhookConfiguration".equals(object.get("kind")))
            .findFirst()
            .orElseThrow();
    Manifests.map(Manifests.in(configuration, "metadata")).put("name", name);
    for (Object webhook : Manifests.list(Manifests.in(configuration, "webhooks"))) {
      Map<String, Object> client =
          Manifests.map(Manifests.in(Manifests.map(webhook), "clientConfig"));
      Map<String, Object> service = Manifests.map(Manifests.in(client, "service"));
      client.remove("service");
      client.put("url", "https://localhost:" + port + service.get("path"));
      List<Object> expressions =
          new ArrayList<>(
              Manifests.list(
                  Manifests.in(Manifests.map(webhook), "namespaceSelector", "matchExpressions")));
      expressions.add(
          Map.of("key", "kubernetes.io/metadata.name", "operator", "In", "values", namespaces));
      Manifests.map(Manifests.in(Manifests.map(webhook), "namespaceSelector"))
          .put("matchExpressions", expressions);
    }
    return Manifests.yaml(configuration);
  }

  /** How many reviews had this result. */
  double counted(String result) throws Exception {
    String line = "hdr_sidecar_inject_total{result=\"" + result + "\"} ";
    return metrics()
        .lines()
        .filter(text -> text.startsWith(line))
        .mapToDouble(text -> Double.parseDouble(text.substring(line.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not there: " + line));
  }

  private String metrics() throws Exception {
    return client
        .request(HttpMethod.GET, port, "localhost", "/metrics")
        .compose(HttpClientRequest::send)
        .compose(HttpClientResponse::body)
        .map(Buffer::toString)
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  /** SIGTERM, and waits for the end. */
  int terminate() throws IOException, InterruptedException {
    process.terminate();
    return process.awaitExit();
  }

  /** What it has printed. */
  String output() {
    return process.output();
  }

  @Override
  public void close() {
    process.kill();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** Waits until an assertion about what the API server does holds: it learns of changes late. */
  static void eventually(Eventually.Assertion assertion) throws Exception {
    Eventually.holds(assertion);
  }
}

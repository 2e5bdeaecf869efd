package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.TlsConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import io.vertx.core.Vertx;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A real webhook on a free port, and a client that trusts one authority. */
final class RunningWebhook implements AutoCloseable {
  static final int MAX_BODY_BYTES = 64 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  final InjectServer server;
  private final SelfMetrics self = new SelfMetrics("1.2.3");
  private final Vertx vertx =
      Vertx.builder().with(self.vertxOptions()).withMetrics(self.vertxMetricsFactory()).build();
  private final Path authority;

  RunningWebhook(Pair own, Path authority) throws Exception {
    this.authority = authority;
    AccessConfig access = new AccessConfig(new TlsConfig(own.certificate(), own.key(), null), null);
    server =
        new InjectServer(
            new InjectConfig("127.0.0.1", 0, access, HttpLimits.defaults(), MAX_BODY_BYTES),
            YamlPod.component(),
            self.registry());
    vertx
        .deployVerticle(server)
        .toCompletionStage()
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(request(path).GET());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + server.actualPort() + path))
        .timeout(PATIENCE);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return send(authority, request);
  }

  /** A new connection each time. */
  static HttpResponse<String> send(Path authority, HttpRequest.Builder request) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      int known = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("ca" + known++, each);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder()
        .sslContext(context)
        .connectTimeout(PATIENCE)
        .build()
        .send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }
}

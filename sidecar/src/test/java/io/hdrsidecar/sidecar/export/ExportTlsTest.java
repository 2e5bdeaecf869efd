package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.support.TestCertificates;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver that asks for certificates: whom the export trusts, what it shows, and to whom. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ExportTlsTest {
  @TempDir Path folder = Path.of("set by JUnit");

  private final Vertx vertx = Vertx.vertx();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final SeriesStore store = RunningExport.store();
  private TestCertificates certificates;
  private URI address;

  @BeforeEach
  void listen() throws Exception {
    certificates = new TestCertificates(folder);
    Path ca = certificates.authority("ca");
    Pair server = certificates.issue("server", "ca");
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost("127.0.0.1")
            .setPort(0)
            .setSsl(true)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .addCertPath(server.certificate().toString())
                    .addKeyPath(server.key().toString()))
            .setTrustOptions(new PemTrustOptions().addCertPath(ca.toString()))
            .setClientAuth(ClientAuth.REQUIRED);
    HttpServer listening =
        vertx
            .createHttpServer(options)
            .requestHandler(
                request -> {
                  tokens.add(String.valueOf(request.getHeader("Authorization")));
                  request.response().end();
                })
            .listen()
            .await(30, TimeUnit.SECONDS);
    address = URI.create("https://127.0.0.1:" + listening.actualPort());
    Recorded.merge(store, "checkout", 1);
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(30, TimeUnit.SECONDS);
  }

  /** A certificate that is not vouched for gets no token; one that is renewed is used at once. */
  @Test
  void certificatesOfBoth_areChecked_andReadAgain() throws Exception {
    Path trusted = certificates.authority("another");
    Pair own = certificates.issue("own", "ca");
    Path token = Files.writeString(folder.resolve("token"), "secret\n");
    Map<String, String> settings =
        Map.of(
            "export.tls-ca", trusted.toString(),
            "export.tls-certificate", own.certificate().toString(),
            "export.tls-key", own.key().toString(),
            "export.token-file", token.toString());
    try (RunningExport export = RunningExport.started(address, store, settings)) {
      export.await("export.requests", "unreachable");
      assertThat(tokens).isEmpty();

      Files.copy(folder.resolve("ca.pem"), trusted, StandardCopyOption.REPLACE_EXISTING);
      export.await("export.values", "");
      assertThat(tokens).contains("Bearer secret");
    }
  }

  @Test
  void withoutACertificate_nothingIsTaken() throws Exception {
    Map<String, String> settings = Map.of("export.tls-ca", folder.resolve("ca.pem").toString());
    try (RunningExport export = RunningExport.started(address, store, settings)) {
      while (export.value("export.requests", "unanswered") == 0
          && export.value("export.requests", "unreachable") == 0) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(tokens).isEmpty();
      assertThat(export.value("export.values", "")).isZero();
    }
  }
}

package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.GrpcClient.framed;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.support.TestCertificates;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may send OTLP when its port speaks TLS. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class OtlpTlsTest {
  private static final byte[] THREE =
      TakenRequests.request(explicit("a", true, bounded(1, 2, 3))).toByteArray();

  private static TestCertificates certificates;
  private static Path authority;
  private static Path otherAuthority;
  private static Pair own;
  private static Pair client;

  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void makeCertificates(@TempDir Path made) throws Exception {
    certificates = new TestCertificates(made);
    authority = certificates.authority("ca");
    otherAuthority = certificates.authority("other-ca");
    own = certificates.issue("server", "ca");
    client = certificates.issue("client", "ca");
    certificates.issue("stranger", "other-ca");
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /** Only OTLP's port speaks TLS, so that counts can be asked for plainly. */
  private static OtlpSidecar sidecar(String mode) throws Exception {
    return new OtlpSidecar(
        "--tls-certificate", own.certificate().toString(),
        "--tls-key", own.key().toString(),
        "--tls-client-ca", authority.toString(),
        "--http-tls", "off",
        "--otlp-tls", mode);
  }

  private static HttpClient client(String trusted, @Nullable String shown) throws Exception {
    return HttpClient.newBuilder().sslContext(certificates.client(trusted, shown)).build();
  }

  @Test
  void on_whoTrustsTheAuthority_needsNoCertificate() throws Exception {
    try (OtlpSidecar sidecar = sidecar("on")) {
      assertThat(sidecar.post(client("ca", null), "https", THREE)).isEqualTo(200);
      assertThat(sidecar.count("a")).isEqualTo(3);

      assertThatThrownBy(() -> sidecar.post(client("other-ca", null), "https", THREE))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> sidecar.post(THREE)).isInstanceOf(IOException.class);
      assertThat(sidecar.count("a")).isEqualTo(3);
    }
  }

  @Test
  void on_gRPC_isTaken() throws Exception {
    try (OtlpSidecar sidecar = sidecar("on")) {
      GrpcClient good = grpc(sidecar, authority, null);
      GrpcClient distrustful = grpc(sidecar, otherAuthority, null);

      assertThat(good.export(framed(false, THREE)).status()).isZero();
      assertThatThrownBy(() -> distrustful.export(framed(false, THREE)))
          .hasRootCauseInstanceOf(CertPathBuilderException.class);
      assertThat(sidecar.count("a")).isEqualTo(3);
    }
  }

  @Test
  void mutual_gRPC_withoutACertificateOfTheAuthority_isCutOff_andCountsNothing() throws Exception {
    try (OtlpSidecar sidecar = sidecar("mutual")) {
      GrpcClient nobody = grpc(sidecar, authority, null);
      GrpcClient known = grpc(sidecar, authority, client);

      assertThatThrownBy(() -> nobody.export(framed(false, THREE)))
          .isInstanceOfAny(IOException.class, VertxException.class);
      assertThat(sidecar.count("a")).isZero();
      assertThat(known.export(framed(false, THREE)).status()).isZero();
      assertThat(sidecar.count("a")).isEqualTo(3);
    }
  }

  /** The handshake gives HTTP/2 to who offers it, and HTTP/1.1 to others, as before. */
  @Test
  void on_otlpHttp_isTakenByEitherVersion() throws Exception {
    try (OtlpSidecar sidecar = sidecar("on")) {
      for (Version version : Version.values()) {
        HttpRequest request =
            HttpRequest.newBuilder(
                    URI.create("https://localhost:" + sidecar.port() + "/v1/metrics"))
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(THREE))
                .build();
        HttpResponse<Void> answer =
            HttpClient.newBuilder()
                .version(version)
                .sslContext(certificates.client("ca", null))
                .build()
                .send(request, BodyHandlers.discarding());
        assertThat(answer.version()).isEqualTo(version);
        assertThat(answer.statusCode()).isEqualTo(200);
      }
      assertThat(sidecar.count("a")).isEqualTo(6);
    }
  }

  private GrpcClient grpc(OtlpSidecar sidecar, Path trusted, @Nullable Pair shown) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setTrustOptions(new PemTrustOptions().addCertPath(trusted.toString()));
    if (shown != null) {
      options.setKeyCertOptions(
          new PemKeyCertOptions()
              .addCertPath(shown.certificate().toString())
              .addKeyPath(shown.key().toString()));
    }
    return new GrpcClient(vertx, sidecar.port(), options);
  }

  @Test
  void mutual_withoutACertificateOfTheAuthority_isCutOff_andCountsNothing() throws Exception {
    try (OtlpSidecar sidecar = sidecar("mutual")) {
      assertThatThrownBy(() -> sidecar.post(client("ca", null), "https", THREE))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> sidecar.post(client("ca", "stranger"), "https", THREE))
          .isInstanceOf(IOException.class);
      assertThat(sidecar.count("a")).isZero();

      assertThat(sidecar.post(client("ca", "client"), "https", THREE)).isEqualTo(200);
      assertThat(sidecar.count("a")).isEqualTo(3);
    }
  }
}

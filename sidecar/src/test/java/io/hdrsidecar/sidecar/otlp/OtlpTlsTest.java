package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.support.TestCertificates;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
  private static Pair own;

  @BeforeAll
  static void makeCertificates(@TempDir Path made) throws Exception {
    certificates = new TestCertificates(made);
    authority = certificates.authority("ca");
    certificates.authority("other-ca");
    own = certificates.issue("server", "ca");
    certificates.issue("client", "ca");
    certificates.issue("stranger", "other-ca");
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

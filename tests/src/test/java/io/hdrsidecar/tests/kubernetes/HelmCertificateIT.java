package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The certificate that the webhook's chart makes, in a cluster that it can ask. */
@RequiresPrograms("helm")
@RequiresKubernetes
final class HelmCertificateIT {
  private static final Path CHART = Manifests.FOLDER.resolve("helm").resolve("hdr-sidecar-inject");
  private static final String NAMESPACE = "hdr-sidecar-chart";
  private static final String SECRET = "hdr-sidecar-inject-tls";
  private static final String CONFIGURATION = "hdr-sidecar-inject";

  private static Map<String, Object> rendered(KubernetesApi api, String kind) throws Exception {
    List<String> command =
        List.of(
            "helm",
            "template",
            "inject",
            ".",
            "--dry-run=server",
            "--namespace=" + NAMESPACE,
            "--kubeconfig=" + api.kubeconfig().toAbsolutePath(),
            "--set=certificate.days=30");
    return Manifests.objects(Tool.run(command, CHART)).stream()
        .filter(object -> kind.equals(object.get("kind")))
        .findFirst()
        .orElseThrow();
  }

  private static Object serverCertificate(Map<String, Object> secret) {
    return Manifests.in(secret, "data", "tls.crt");
  }

  private static Object trusted(Map<String, Object> configuration) {
    List<Object> webhooks = Manifests.list(Manifests.in(configuration, "webhooks"));
    return Manifests.in(Manifests.map(webhooks.get(0)), "clientConfig", "caBundle");
  }

  private static List<X509Certificate> certificates(Object base64) throws Exception {
    byte[] pem = Base64.getDecoder().decode(String.valueOf(base64));
    List<X509Certificate> certificates = new ArrayList<>();
    CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem))
        .forEach(each -> certificates.add((X509Certificate) each));
    return certificates;
  }

  @Test
  void secret_firstAndAgainAndRenewed_isKeptAndTheAuthorityOfBeforeStaysTrusted(KubernetesApi api)
      throws Exception {
    api.createNamespace(NAMESPACE, "{}");

    Map<String, Object> first = rendered(api, "Secret");
    X509Certificate server = certificates(serverCertificate(first)).get(0);
    X509Certificate authority = certificates(Manifests.in(first, "data", "ca.crt")).get(0);
    server.verify(authority.getPublicKey());
    server.checkValidity();
    assertThat(server.getSubjectAlternativeNames())
        .anyMatch(name -> name.contains("hdr-sidecar-inject." + NAMESPACE + ".svc"));

    api.apply(Manifests.yaml(first));
    assertThat(serverCertificate(rendered(api, "Secret")))
        .as("an upgrade keeps it")
        .isEqualTo(serverCertificate(first));
    Map<String, Object> configuration = rendered(api, "MutatingWebhookConfiguration");
    assertThat(certificates(trusted(configuration))).containsExactly(authority);

    api.apply(Manifests.yaml(configuration));
    try {
      api.kubectl("", "delete", "secret", SECRET, "--namespace=" + NAMESPACE);
      List<X509Certificate> renewed =
          certificates(Manifests.in(rendered(api, "Secret"), "data", "ca.crt"));
      assertThat(renewed).hasSize(2).endsWith(authority);
      assertThat(renewed.get(0)).isNotEqualTo(authority);
    } finally {
      api.kubectl("", "delete", "mutatingwebhookconfiguration", CONFIGURATION);
    }
  }
}

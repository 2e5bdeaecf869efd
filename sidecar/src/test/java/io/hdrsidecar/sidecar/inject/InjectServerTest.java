package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdrsidecar.sidecar.support.TestCertificates;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The webhook over real TLS connections, asked as API servers ask. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class InjectServerTest {
  private static TestCertificates certificates;
  private static Path ca;
  private static RunningWebhook webhook;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    certificates = new TestCertificates(folder);
    ca = certificates.authority("ca");
    webhook = new RunningWebhook(certificates.issue("server", "ca"), ca);
  }

  @AfterAll
  static void stop() {
    webhook.close();
  }

  private static String review(String pod) {
    return """
    {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
     "request": {"uid": "u-1", "namespace": "shop", "operation": "CREATE",
       "resource": {"group": "", "version": "v1", "resource": "pods"}, "object": %s}}
    """
        .formatted(pod);
  }

  private static JsonObject response(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    return new JsonObject(answer.body()).getJsonObject("response");
  }

  private static final String PLAIN =
      "{\"metadata\":{},\"spec\":{\"containers\":[{\"name\":\"a\"}]}}";

  @Test
  void mutateAll_podWithoutAnnotations_comesBackWithTheSidecar() throws Exception {
    JsonObject response = response(webhook.post("/mutate/all", review(PLAIN)));

    byte[] patch = Base64.getDecoder().decode(response.getString("patch"));
    JsonNode pod =
        YamlPod.patched(
            YamlPod.node(PLAIN), new JsonArray(new String(patch, StandardCharsets.UTF_8)));
    assertThat(response.getString("uid")).isEqualTo("u-1");
    assertThat(pod.at("/spec/initContainers/0/name").asText()).isEqualTo("hdr-sidecar");
    assertThat(response(webhook.post("/mutate/all", review(pod.toString()))).containsKey("patch"))
        .isFalse();
  }

  @Test
  void mutateAnnotated_podWithoutAnnotations_isAllowedAsItIs() throws Exception {
    assertThat(response(webhook.post("/mutate/annotated", review(PLAIN))))
        .isEqualTo(
            new JsonObject(
                "{\"uid\":\"u-1\",\"allowed\":true,"
                    + "\"auditAnnotations\":{\"result\":\"not_wanted\"}}"));
  }

  @Test
  void mutate_podWithProblem_isAllowedWithWarning() throws Exception {
    String pod =
        "{\"metadata\":{\"annotations\":{\"hdrsidecar.io/inject\":\"maybe\"}},"
            + "\"spec\":{\"containers\":[]}}";

    JsonObject response = response(webhook.post("/mutate/annotated", review(pod)));

    assertThat(response.getBoolean("allowed")).isTrue();
    assertThat(response.containsKey("patch")).isFalse();
    assertThat(response.getJsonArray("warnings").getString(0)).contains("must be true or false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}     | apiVersion: must be admission.k8s.io/v1
          {"a":  | must be a JSON object, AdmissionReview of admission.k8s.io/v1
          """)
  void mutate_malformedReview_is400WithWhatWasExpected(String body, String expected)
      throws Exception {
    HttpResponse<String> answer = webhook.post("/mutate/all", body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getString("error")).startsWith(expected);
    assertThat(answer.body()).doesNotContain("Exception").doesNotContain("\tat ");
  }

  @Test
  void mutate_podOfAnotherShape_is400NamingTheField() throws Exception {
    HttpResponse<String> answer =
        webhook.post("/mutate/all", review("{\"metadata\":{},\"spec\":{\"containers\":7}}"));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getString("error"))
        .isEqualTo("spec.containers: must be a list: 7");
  }

  @Test
  void mutate_deeplyNestedBody_is400() throws Exception {
    String deep = "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000);

    assertThat(webhook.post("/mutate/all", deep).statusCode()).isEqualTo(400);
  }

  @Test
  void mutate_tooLongBody_is413NamingTheLimit() throws Exception {
    HttpResponse<String> answer =
        webhook.post("/mutate/all", " ".repeat(RunningWebhook.MAX_BODY_BYTES + 1));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("at most " + RunningWebhook.MAX_BODY_BYTES + " bytes");
  }

  @Test
  void mutate_otherContentType_is415() throws Exception {
    HttpResponse<String> answer =
        webhook.send(
            webhook
                .request("/mutate/all")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString("a: b")));

    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(answer.body()).contains("must be application/json: application/yaml");
  }

  @Test
  void otherRequests_sayWhatThereIs() throws Exception {
    assertThat(webhook.get("/mutate/all").statusCode()).isEqualTo(405);
    assertThat(webhook.get("/mutate/all").headers().firstValue("Allow")).contains("POST");
    assertThat(webhook.get("/mutate").statusCode()).isEqualTo(404);
    assertThat(webhook.get("/-/healthy").statusCode()).isEqualTo(200);
  }

  private static double counted(String result) throws Exception {
    String line = "hdr_sidecar_inject_total{result=\"" + result + "\"} ";
    return webhook
        .get("/metrics")
        .body()
        .lines()
        .filter(text -> text.startsWith(line))
        .mapToDouble(text -> Double.parseDouble(text.substring(line.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError(line));
  }

  @Test
  void metrics_afterReviews_countThemByResult() throws Exception {
    double injected = counted("injected");
    double notWanted = counted("not_wanted");
    double malformed = counted("malformed");

    webhook.post("/mutate/all", review(PLAIN));
    webhook.post("/mutate/all", review(PLAIN));
    webhook.post("/mutate/annotated", review(PLAIN));
    webhook.post("/mutate/annotated", "{}");

    assertThat(counted("injected") - injected).isEqualTo(2);
    assertThat(counted("not_wanted") - notWanted).isEqualTo(1);
    assertThat(counted("malformed") - malformed).isEqualTo(1);
  }

  @Test
  void announceEnd_goesOnAnsweringAndIsNotReady() throws Exception {
    try (RunningWebhook ending = new RunningWebhook(certificates.issue("ending", "ca"), ca)) {
      assertThat(ending.get("/-/ready").statusCode()).isEqualTo(200);

      ending.server.announceEnd();

      assertThat(ending.get("/-/ready").statusCode()).isEqualTo(503);
      assertThat(ending.post("/mutate/all", review(PLAIN)).statusCode()).isEqualTo(200);
    }
  }

  private static String shownName(RunningWebhook running) throws Exception {
    X509Certificate shown =
        (X509Certificate)
            running.get("/-/healthy").sslSession().orElseThrow().getPeerCertificates()[0];
    return shown.getSubjectX500Principal().getName();
  }

  @Test
  void certificate_renewedInItsFiles_isShownWithoutRestart(@TempDir Path files) throws Exception {
    Pair first = certificates.issue("first", "ca");
    Pair own =
        new Pair(
            Files.copy(first.certificate(), files.resolve("tls.crt")),
            Files.copy(first.key(), files.resolve("tls.key")));
    try (RunningWebhook running = new RunningWebhook(own, ca)) {
      assertThat(shownName(running)).isEqualTo("CN=first");

      Pair second = certificates.issue("second", "ca");
      Files.copy(second.certificate(), own.certificate(), StandardCopyOption.REPLACE_EXISTING);
      Files.copy(second.key(), own.key(), StandardCopyOption.REPLACE_EXISTING);

      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!shownName(running).equals("CN=second")) {
        assertThat(System.nanoTime()).as("still the first certificate").isLessThan(deadline);
      }
    }
  }

  @Test
  void metrics_certificate_sayWhenItEnds(@TempDir Path out) throws Exception {
    new Certificates("localhost", 2, out).make();
    try (RunningWebhook running =
            new RunningWebhook(
                new Pair(out.resolve("tls.crt"), out.resolve("tls.key")), out.resolve("ca.crt"));
        InputStream file = Files.newInputStream(out.resolve("tls.crt"))) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file);
      String name = "hdr_sidecar_inject_certificate_expiry_timestamp_seconds ";

      assertThat(running.get("/metrics").body().lines().filter(line -> line.startsWith(name)))
          .singleElement()
          .extracting(line -> (long) Double.parseDouble(line.substring(name.length())))
          .isEqualTo(certificate.getNotAfter().toInstant().getEpochSecond());
    }
  }

  @Test
  void selfMadeCertificates_areTrustedByWhoHasTheirAuthorityOnly(@TempDir Path out)
      throws Exception {
    String caBundle = new Certificates("localhost", 2, out).make();
    Pair own = new Pair(out.resolve("tls.crt"), out.resolve("tls.key"));

    assertThat(Base64.getDecoder().decode(caBundle))
        .isEqualTo(Files.readAllBytes(out.resolve("ca.crt")));
    try (RunningWebhook running = new RunningWebhook(own, out.resolve("ca.crt"))) {
      assertThat(running.get("/-/healthy").statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> RunningWebhook.send(ca, running.request("/-/healthy").GET()))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void selfMadeCertificates_madeAgain_areTrustedBesideTheOld(@TempDir Path out, @TempDir Path old)
      throws Exception {
    new Certificates("localhost", 2, out).make();
    Pair before =
        new Pair(
            Files.copy(out.resolve("tls.crt"), old.resolve("tls.crt")),
            Files.copy(out.resolve("tls.key"), old.resolve("tls.key")));

    new Certificates("localhost", 2, out).make();

    Pair after = new Pair(out.resolve("tls.crt"), out.resolve("tls.key"));
    assertThat(Files.mismatch(before.key(), after.key())).isNotNegative();
    for (Pair own : new Pair[] {before, after}) {
      try (RunningWebhook running = new RunningWebhook(own, out.resolve("ca.crt"))) {
        assertThat(running.get("/-/healthy").statusCode()).isEqualTo(200);
      }
    }
  }
}

package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.inject.Verdict.Result;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What API servers ask and what they are answered: admission.k8s.io/v1 of Kubernetes' reference.
 */
class AdmissionReviewTest {
  private static JsonObject review(String operation, String resource) {
    return new JsonObject(
        """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
         "request": {
           "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
           "kind": {"group": "", "version": "v1", "kind": "Pod"},
           "resource": {"group": "", "version": "v1", "resource": "%s"},
           "name": "web", "namespace": "shop", "operation": "%s",
           "object": {"metadata": {"name": "web"}, "spec": {"containers": []}}}}
        """
            .formatted(resource, operation));
  }

  @ParameterizedTest
  @CsvSource({
    "CREATE, pods, true",
    "UPDATE, pods, false",
    "DELETE, pods, false",
    "CREATE, deployments, false"
  })
  void parse_review_knowsWhetherAPodIsCreated(
      String operation, String resource, boolean isPodCreation) throws Exception {
    AdmissionReview review = AdmissionReview.parse(review(operation, resource).toBuffer());

    assertThat(review.isPodCreation()).isEqualTo(isPodCreation);
    assertThat(review.pod().namespace()).isEqualTo("shop");
  }

  @Test
  void parse_subresource_isNoCreation() throws Exception {
    JsonObject binding = review("CREATE", "pods");
    binding.getJsonObject("request").put("subResource", "binding");

    assertThat(AdmissionReview.parse(binding.toBuffer()).isPodCreation()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `` | must be a JSON object, AdmissionReview of admission.k8s.io/v1
          [] | must be a JSON object, AdmissionReview of admission.k8s.io/v1
          {"apiVersion": | must be a JSON object, AdmissionReview of admission.k8s.io/v1
          {} | apiVersion: must be admission.k8s.io/v1:
          {"apiVersion":"admission.k8s.io/v1beta1"} | apiVersion: must be admission.k8s.io/v1: admission.k8s.io/v1beta1
          {"apiVersion":7} | apiVersion: must be a text: 7
          {"apiVersion":"admission.k8s.io/v1","kind":"Pod"} | kind: must be AdmissionReview: Pod
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"} | request.uid: must be there
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":[]} | request: must be an object: []
          """)
  void parse_whatIsNoReview_saysWhatWasExpected(String body, String expected) {
    assertThatThrownBy(() -> AdmissionReview.parse(Buffer.buffer(body)))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageStartingWith(expected);
  }

  @Test
  void parse_creationWithoutSpec_saysSo() {
    JsonObject review = review("CREATE", "pods");
    review.getJsonObject("request").remove("object");

    assertThatThrownBy(() -> AdmissionReview.parse(review.toBuffer()))
        .hasMessage("request.object.spec: must be there");
  }

  @Test
  void answer_withPatch_hasItInBase64() throws Exception {
    JsonArray patch = new JsonArray("[{\"op\":\"add\",\"path\":\"/a\",\"value\":1}]");
    AdmissionReview review = AdmissionReview.parse(review("CREATE", "pods").toBuffer());

    JsonObject answer = review.answer(new Verdict(Result.INJECTED, patch, List.of()));

    JsonObject response = answer.getJsonObject("response");
    assertThat(answer.getString("apiVersion")).isEqualTo("admission.k8s.io/v1");
    assertThat(answer.getString("kind")).isEqualTo("AdmissionReview");
    assertThat(response.getString("uid")).isEqualTo("705ab4f5-6393-11e8-b7cc-42010a800002");
    assertThat(response.getBoolean("allowed")).isTrue();
    assertThat(response.getString("patchType")).isEqualTo("JSONPatch");
    assertThat(
            new String(
                Base64.getDecoder().decode(response.getString("patch")), StandardCharsets.UTF_8))
        .isEqualTo(patch.encode());
    assertThat(response.getJsonObject("auditAnnotations").getString("result"))
        .isEqualTo("injected");
  }

  @Test
  void answer_withWarnings_allowsWithoutPatch() throws Exception {
    AdmissionReview review = AdmissionReview.parse(review("CREATE", "pods").toBuffer());

    JsonObject response =
        review
            .answer(new Verdict(Result.IMPOSSIBLE, new JsonArray(), List.of("one", "two")))
            .getJsonObject("response");

    assertThat(response.getBoolean("allowed")).isTrue();
    assertThat(response.containsKey("patch")).isFalse();
    assertThat(response.containsKey("patchType")).isFalse();
    assertThat(response.getJsonArray("warnings")).containsExactly("one", "two");
    assertThat(response.getJsonObject("auditAnnotations").getString("problems"))
        .isEqualTo("one; two");
  }
}

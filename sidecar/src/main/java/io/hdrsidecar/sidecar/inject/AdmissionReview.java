package io.hdrsidecar.sidecar.inject;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;

/**
 * A query of the API server, {@code AdmissionReview} of {@code admission.k8s.io/v1}.
 *
 * @param uid goes into the answer
 * @param pod what is to be created
 * @param isPodCreation whether it is a pod that is created; of anything else nothing is known
 */
record AdmissionReview(String uid, Pod pod, boolean isPodCreation) {
  private static final String VERSION = "admission.k8s.io/v1";
  private static final String KIND = "AdmissionReview";

  /**
   * Reads one.
   *
   * @throws MalformedDocumentException saying what was expected where
   */
  static AdmissionReview parse(Buffer body) throws MalformedDocumentException {
    Part review = Part.document(json(body));
    requireText(review, "apiVersion", VERSION);
    requireText(review, "kind", KIND);
    Part request = review.part("request");
    String uid = request.text("uid");
    if (uid.isEmpty()) {
      throw new MalformedDocumentException("request.uid: must be there");
    }
    Part resource = request.part("resource");
    boolean isPodCreation =
        request.text("operation").equals("CREATE")
            && resource.text("group").isEmpty()
            && resource.text("version").equals("v1")
            && resource.text("resource").equals("pods")
            && request.text("subResource").isEmpty();
    Part object = request.part("object");
    if (isPodCreation && !object.has("spec")) {
      throw new MalformedDocumentException("request.object.spec: must be there");
    }
    Pod pod = new Pod(request.text("namespace"), Part.document(object.json()));
    return new AdmissionReview(uid, pod, isPodCreation);
  }

  private static JsonObject json(Buffer body) throws MalformedDocumentException {
    try {
      return new JsonObject(body);
    } catch (DecodeException | ClassCastException e) {
      throw new MalformedDocumentException(
          "must be a JSON object, " + KIND + " of " + VERSION + ": " + LogSafeText.text(reason(e)),
          e);
    }
  }

  private static String reason(Exception e) {
    return e instanceof DecodeException
        ? String.valueOf(e.getMessage()).lines().findFirst().orElse("") // then come positions
        : "it is something else";
  }

  private static void requireText(Part part, String key, String expected)
      throws MalformedDocumentException {
    if (!part.text(key).equals(expected)) {
      throw new MalformedDocumentException(
          part.pathTo(key) + ": must be " + expected + ": " + LogSafeText.text(part.text(key)));
    }
  }

  /** The answer: allowed, whatever the verdict. */
  JsonObject answer(Verdict verdict) {
    JsonObject response =
        new JsonObject()
            .put("uid", uid)
            .put("allowed", true)
            .put("auditAnnotations", auditAnnotations(verdict));
    if (!verdict.patch().isEmpty()) {
      byte[] patch = verdict.patch().toBuffer().getBytes();
      response
          .put("patchType", "JSONPatch")
          .put("patch", Base64.getEncoder().encodeToString(patch));
    }
    if (!verdict.warnings().isEmpty()) {
      response.put("warnings", new JsonArray(verdict.warnings()));
    }
    return new JsonObject().put("apiVersion", VERSION).put("kind", KIND).put("response", response);
  }

  /** The API server puts the webhook's name in front of the keys. */
  private static JsonObject auditAnnotations(Verdict verdict) {
    JsonObject annotations = new JsonObject().put("result", verdict.result().label());
    if (!verdict.warnings().isEmpty()) {
      annotations.put("problems", String.join("; ", verdict.warnings()));
    }
    return annotations;
  }
}

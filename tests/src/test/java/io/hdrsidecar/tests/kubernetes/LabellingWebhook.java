package io.hdrsidecar.tests.kubernetes;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** Another webhook, which comes after ours and changes each pod: it adds a label. */
final class LabellingWebhook implements AutoCloseable {
  private static final String LABEL = "labelled-later";

  private final Vertx vertx = Vertx.vertx();
  private final Webhook neighbour;
  private final HttpServer server;

  /** Starts with the certificate of another. */
  LabellingWebhook(Webhook neighbour) throws Exception {
    this.neighbour = neighbour;
    PemKeyCertOptions own =
        new PemKeyCertOptions()
            .addCertPath(neighbour.certificate().toString())
            .addKeyPath(neighbour.key().toString());
    HttpServerOptions options = new HttpServerOptions().setSsl(true).setKeyCertOptions(own);
    server =
        vertx
            .createHttpServer(options)
            .requestHandler(
                request ->
                    request
                        .body()
                        .onSuccess(
                            body ->
                                request
                                    .response()
                                    .putHeader("Content-Type", "application/json")
                                    .end(answer(new JsonObject(body)).toBuffer())))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
  }

  private static JsonObject answer(JsonObject review) {
    JsonArray patch =
        new JsonArray()
            .add(
                new JsonObject()
                    .put("op", "add")
                    .put("path", "/metadata/labels/" + LABEL)
                    .put("value", "yes"));
    return review
        .copy()
        .put(
            "response",
            new JsonObject()
                .put("uid", review.getJsonObject("request").getString("uid"))
                .put("allowed", true)
                .put("patchType", "JSONPatch")
                .put("patch", Base64.getEncoder().encodeToString(patch.toBuffer().getBytes())))
        .putNull("request");
  }

  /** For the pods of one namespace. */
  String registration(String namespace) throws Exception {
    String authority =
        Base64.getEncoder()
            .encodeToString(
                Files.readString(neighbour.authority()).getBytes(StandardCharsets.UTF_8));
    return """
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingWebhookConfiguration
        metadata: {name: z-later}
        webhooks:
          - name: labels.z-later.test
            admissionReviewVersions: [v1]
            sideEffects: None
            clientConfig: {url: "https://localhost:%d/", caBundle: %s}
            rules:
              - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
            namespaceSelector:
              matchLabels: {kubernetes.io/metadata.name: %s}
        """
        .formatted(server.actualPort(), authority, namespace);
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}

package io.hdrsidecar.sidecar.api;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API in OpenAPI 3.1, a file in the jar, and the parameters of {@code /api/v1}, which requests
 * are held against: the same without references and texts for people, in JSON, which is read in a
 * tenth of the time. A test holds one to the other.
 *
 * <p>Each is read from the jar when the first request asks, which most sidecars never see: scrapes
 * do not. So not on an event loop. Any thread.
 */
final class ApiDocument {
  private static final String DOCUMENT = "/io/hdrsidecar/sidecar/api/openapi.yaml";
  private static final String PARAMETERS = "/io/hdrsidecar/sidecar/api/parameters.json";

  private @Nullable String text;
  private @Nullable JsonObject parameters;

  /** As it is served. */
  synchronized String text() {
    String known = text;
    if (known == null) {
      known = read(DOCUMENT);
      text = known;
    }
    return known;
  }

  private static String read(String resource) {
    try (InputStream in = ApiDocument.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rules that a request must meet. */
  OperationRules rules(HttpMethod method, String path) {
    return new OperationRules(() -> parameters(method + " " + path));
  }

  private synchronized JsonObject parameters() {
    JsonObject known = parameters;
    if (known == null) {
      known = new JsonObject(read(PARAMETERS));
      parameters = known;
    }
    return known;
  }

  private List<ParameterRule> parameters(String operation) {
    JsonArray declared = parameters().getJsonArray(operation);
    if (declared == null) {
      throw new IllegalStateException("not in " + PARAMETERS + ": " + operation);
    }
    List<ParameterRule> rules = new ArrayList<>();
    for (int i = 0; i < declared.size(); i++) {
      rules.add(new ParameterRule(declared.getJsonObject(i)));
    }
    return rules;
  }
}

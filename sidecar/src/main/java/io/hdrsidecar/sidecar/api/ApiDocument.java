package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.input.YamlText;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API in OpenAPI 3.1, a file in the jar: what is served is also what requests are held against.
 * It is read and parsed when the first request is held against it, which most sidecars never see:
 * scrapes are not. That takes as long as a hundred scrapes, so not on an event loop. Any thread.
 */
final class ApiDocument {
  private static final String RESOURCE = "/io/hdrsidecar/sidecar/api/openapi.yaml";
  private static final String REFERENCE = "$ref";

  private @Nullable String text;
  private @Nullable JsonObject root;

  private synchronized JsonObject root() {
    JsonObject known = root;
    if (known == null) {
      JsonObject parsed = new JsonObject();
      if (YamlText.values(text()) instanceof Map<?, ?> tree) {
        tree.forEach((key, value) -> parsed.put(key.toString(), value));
      }
      root = parsed;
      known = parsed;
    }
    return known;
  }

  private static String read() {
    try (InputStream in = ApiDocument.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As it is served. */
  synchronized String text() {
    String known = text;
    if (known == null) {
      known = read();
      text = known;
    }
    return known;
  }

  /** The rules that a request must meet. */
  OperationRules rules(HttpMethod method, String path) {
    return new OperationRules(() -> parameters(method, path));
  }

  private List<ParameterRule> parameters(HttpMethod method, String path) {
    JsonObject operations = root().getJsonObject("paths").getJsonObject(path, new JsonObject());
    JsonObject operation = operations.getJsonObject(method.name().toLowerCase(Locale.ROOT));
    if (operation == null) {
      throw new IllegalStateException("not in " + RESOURCE + ": " + method + " " + path);
    }
    List<ParameterRule> rules = new ArrayList<>();
    JsonArray parameters = operation.getJsonArray("parameters", new JsonArray());
    for (int i = 0; i < parameters.size(); i++) {
      JsonObject parameter = resolved(parameters.getJsonObject(i)).copy();
      parameter.put("schema", resolved(parameter.getJsonObject("schema")));
      rules.add(new ParameterRule(parameter));
    }
    return rules;
  }

  /** The object that a reference leads to; all are into the document. */
  private JsonObject resolved(JsonObject object) {
    String reference = object.getString(REFERENCE);
    return reference == null
        ? object
        : (JsonObject) JsonPointer.from(reference.substring(1)).queryJson(root());
  }
}

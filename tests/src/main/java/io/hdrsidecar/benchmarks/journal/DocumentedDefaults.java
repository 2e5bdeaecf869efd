package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The values that the API's document gives to parameters nobody sends. The HTTP server adds them; a
 * benchmark that asks without it adds them itself.
 */
final class DocumentedDefaults {
  private DocumentedDefaults() {}

  /**
   * The parameters of a path that have a default, with it.
   *
   * @param path such as {@code /api/v1/histogram}, asked by GET
   */
  static Map<String, String> of(String path) throws IOException {
    try (InputStream in = HttpServerVerticle.class.getResourceAsStream("openapi.yaml")) {
      JsonObject root =
          new JsonObject(
              new Yaml(new SafeConstructor(new LoaderOptions())).<Map<String, Object>>load(in));
      Map<String, String> defaults = new TreeMap<>();
      root.getJsonObject("paths")
          .getJsonObject(path)
          .getJsonObject("get")
          .getJsonArray("parameters")
          .forEach(
              each -> {
                JsonObject parameter = resolved(root, (JsonObject) each);
                Object value =
                    resolved(root, parameter.getJsonObject("schema")).getValue("default");
                if (value != null) {
                  defaults.put(parameter.getString("name"), value.toString());
                }
              });
      return defaults;
    }
  }

  private static JsonObject resolved(JsonObject root, JsonObject object) {
    String reference = object.getString("$ref");
    return reference == null
        ? object
        : (JsonObject) JsonPointer.from(reference.substring(1)).queryJson(root);
  }
}

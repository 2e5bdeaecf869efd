package io.hdrsidecar.sidecar.inject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.flipkart.zjsonpatch.JsonPatch;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import org.yaml.snakeyaml.Yaml;

/** Pods as people write them, and patches as others apply them. */
final class YamlPod {
  private static final ObjectMapper JSON = new ObjectMapper();

  private YamlPod() {}

  static JsonNode node(String yaml) {
    return JSON.valueToTree(new Yaml().load(yaml));
  }

  static Pod pod(String yaml) {
    return pod(node(yaml));
  }

  static Pod pod(JsonNode node) {
    return new Pod("shop", Part.document(new JsonObject(node.toString())));
  }

  /** The pod after the patch, which another library applies. */
  static JsonNode patched(JsonNode pod, JsonArray patch) {
    try {
      return JsonPatch.apply(JSON.readTree(patch.encode()), pod);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The folder with the small component. */
  static Path componentFolder() {
    try {
      return Path.of(Objects.requireNonNull(YamlPod.class.getResource("component")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Component component() throws Exception {
    return ComponentFile.read(componentFolder());
  }
}

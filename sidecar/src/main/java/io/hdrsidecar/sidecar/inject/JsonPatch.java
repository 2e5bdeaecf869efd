package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Additions to a document as a JSON Patch (RFC 6902). Each list and each object of texts may be
 * added to once: whether it is there is looked up in the document as it was.
 */
final class JsonPatch {
  private static final String END = "/-";
  private static final String BEGIN = "/0";

  private final JsonArray operations = new JsonArray();

  /** Sets a field, whether it is there or not. Its parent has to be there. */
  void set(Part parent, String key, Object value) {
    add(parent.pointerTo(key), value);
  }

  /** Adds to the end of a list, which is made if there is none. */
  void append(Part parent, String key, List<JsonObject> values) {
    if (parent.has(key)) {
      values.forEach(value -> add(parent.pointerTo(key) + END, value));
    } else if (!values.isEmpty()) {
      set(parent, key, new JsonArray(List.copyOf(values)));
    }
  }

  /** Adds to the front of a list, which is made if there is none. */
  void prepend(Part parent, String key, JsonObject value) {
    if (parent.has(key)) {
      add(parent.pointerTo(key) + BEGIN, value);
    } else {
      set(parent, key, new JsonArray(List.of(value)));
    }
  }

  /** Adds fields to an object, which is made if there is none; what is there stays. */
  void complete(Part parent, String key, Map<String, ?> values) throws MalformedDocumentException {
    if (parent.has(key)) {
      Part object = parent.part(key);
      values.forEach(
          (name, value) -> {
            if (!object.has(name)) {
              set(object, name, value);
            }
          });
    } else if (!values.isEmpty()) {
      JsonObject object = new JsonObject();
      values.forEach(object::put);
      set(parent, key, object);
    }
  }

  private void add(String pointer, Object value) {
    operations.add(new JsonObject().put("op", "add").put("path", pointer).put("value", value));
  }

  /** The operations, in the order in which they are to be done. */
  JsonArray json() {
    return operations.copy();
  }
}

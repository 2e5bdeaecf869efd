package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One object within a JSON or YAML document. Reading a field that holds another type than asked for
 * fails with its path; a field that is absent or null reads as empty, as Kubernetes means it.
 *
 * @param pointer where it stands, as a JSON Pointer (RFC 6901): {@code /spec/containers/0}; empty
 *     for the document
 */
record Part(String pointer, JsonObject json) {

  /** A whole document. */
  static Part document(JsonObject json) {
    return new Part("", json);
  }

  /** Where a field stands. */
  String pointerTo(String key) {
    return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
  }

  /** The same for people: {@code spec.containers[0].name}. */
  String pathTo(String key) {
    return path(pointerTo(key));
  }

  private static String path(String pointer) {
    StringBuilder path = new StringBuilder();
    for (String step : pointer.substring(1).split("/", -1)) {
      boolean isIndex = !step.isEmpty() && step.chars().allMatch(c -> c >= '0' && c <= '9');
      if (isIndex) {
        path.append('[').append(step).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".");
        path.append(LogSafeText.text(step.replace("~1", "/").replace("~0", "~")));
      }
    }
    return path.toString();
  }

  /** Whether there is a value. */
  boolean has(String key) {
    return json.getValue(key) != null;
  }

  /** The object in a field. */
  Part part(String key) throws MalformedDocumentException {
    Object value = json.getValue(key);
    if (value == null) {
      return new Part(pointerTo(key), new JsonObject());
    }
    if (value instanceof JsonObject object) {
      return new Part(pointerTo(key), object);
    }
    throw mismatch(pointerTo(key), "an object", value);
  }

  /** The objects of the list in a field. */
  List<Part> parts(String key) throws MalformedDocumentException {
    Object value = json.getValue(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray array)) {
      throw mismatch(pointerTo(key), "a list", value);
    }
    List<Part> parts = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      String place = pointerTo(key) + "/" + i;
      if (!(array.getValue(i) instanceof JsonObject object)) {
        throw mismatch(place, "an object", array.getValue(i));
      }
      parts.add(new Part(place, object));
    }
    return parts;
  }

  /** The text in a field. */
  String text(String key) throws MalformedDocumentException {
    Object value = json.getValue(key);
    if (value == null) {
      return "";
    }
    if (value instanceof String text) {
      return text;
    }
    throw mismatch(pointerTo(key), "a text", value);
  }

  /** The whole number in a field; 0 when there is none. */
  long number(String key) throws MalformedDocumentException {
    Object value = json.getValue(key);
    if (value == null) {
      return 0;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw mismatch(pointerTo(key), "a whole number", value);
  }

  /** The truth in a field; false when there is none. */
  boolean flag(String key) throws MalformedDocumentException {
    Object value = json.getValue(key);
    if (value == null) {
      return false;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw mismatch(pointerTo(key), "true or false", value);
  }

  /** The object in a field as names and texts, sorted: labels, annotations. */
  Map<String, String> texts(String key) throws MalformedDocumentException {
    Part part = part(key);
    Map<String, String> texts = new TreeMap<>();
    for (String name : part.json.fieldNames()) {
      texts.put(name, part.text(name));
    }
    return texts;
  }

  private static MalformedDocumentException mismatch(
      String pointer, String expected, Object found) {
    return new MalformedDocumentException(
        path(pointer) + ": must be " + expected + ": " + LogSafeText.text(String.valueOf(found)));
  }
}

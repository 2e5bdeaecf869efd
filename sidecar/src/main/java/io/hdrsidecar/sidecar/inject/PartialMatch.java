package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what we write with what is there, where the API server may have added defaults. */
final class PartialMatch {
  private PartialMatch() {}

  /** Whether all that an object says, the other says, too. */
  static boolean in(JsonObject part, JsonObject whole) {
    return part.fieldNames().stream()
        .allMatch(name -> isIn(part.getValue(name), whole.getValue(name)));
  }

  private static boolean isIn(@Nullable Object part, @Nullable Object whole) {
    if (part instanceof JsonObject object) {
      return whole instanceof JsonObject other && in(object, other);
    }
    if (part instanceof JsonArray array) {
      return whole instanceof JsonArray other && isIn(array, other);
    }
    return Objects.equals(part, whole);
  }

  private static boolean isIn(JsonArray part, JsonArray whole) {
    if (part.size() != whole.size()) {
      return false;
    }
    for (int i = 0; i < part.size(); i++) {
      if (!isIn(part.getValue(i), whole.getValue(i))) {
        return false;
      }
    }
    return true;
  }
}

package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Locale;

/**
 * What is done with one pod. It is created in any case.
 *
 * @param patch empty unless the result is {@link Result#INJECTED}
 * @param warnings lines for the creator of the pod, such as on kubectl's standard error
 */
record Verdict(Result result, JsonArray patch, List<String> warnings) {
  /** The label {@code result} of {@code hdr_sidecar_inject_total}. */
  enum Result {
    /** The pod gets a sidecar. */
    INJECTED,
    /** The pod has one already. */
    PRESENT,
    /** Nobody asks for one. */
    NOT_WANTED,
    /** One is wanted and cannot be had. */
    IMPOSSIBLE;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Nothing is done, and nothing need be said. */
  static Verdict of(Result result) {
    return new Verdict(result, new JsonArray(), List.of());
  }
}

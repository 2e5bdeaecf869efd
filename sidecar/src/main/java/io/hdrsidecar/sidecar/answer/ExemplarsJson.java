package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;

/** Values with their traces, the slowest first. */
final class ExemplarsJson {
  private ExemplarsJson() {}

  static JsonArray of(List<Exemplar> exemplars) {
    JsonArray all = new JsonArray();
    exemplars.stream()
        .sorted(Comparator.comparingLong(Exemplar::value).reversed())
        .forEach(each -> all.add(one(each)));
    return all;
  }

  private static JsonObject one(Exemplar exemplar) {
    JsonObject json =
        new JsonObject()
            .put("value", exemplar.value())
            .put("time", TimeRange.text(exemplar.millis()))
            .put("traceId", exemplar.traceId());
    return exemplar.spanId().isEmpty() ? json : json.put("spanId", exemplar.spanId());
  }
}

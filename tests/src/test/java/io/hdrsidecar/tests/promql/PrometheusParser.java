package io.hdrsidecar.tests.promql;

import io.hdrsidecar.tests.support.LineProgram;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** What Prometheus' own parser makes of queries: {@code .ci/promql} in a process. */
record PrometheusParser(String canonical, String error) {
  static final String PROGRAM = "promql-parse";

  /** One for each query, in their order. */
  static List<PrometheusParser> of(List<String> queries) throws Exception {
    List<String> lines = queries.stream().map(Json::encode).toList();
    return LineProgram.run(List.of(PROGRAM), lines).stream()
        .map(JsonObject::new)
        .map(
            each ->
                new PrometheusParser(each.getString("canonical", ""), each.getString("error", "")))
        .toList();
  }

  boolean accepts() {
    return error.isEmpty();
  }
}

package io.hdrsidecar.tests.promql;

import io.hdrsidecar.tests.support.LineProgram;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;

/** What Prometheus' own parser makes of queries: {@code .ci/promql} in a process. */
record PrometheusParser(String canonical, String error) {
  static final String PROGRAM = "promql-parse";
  private static final Pattern LOOSE_BYTE = Pattern.compile("\\\\x[89a-f]");

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

  /** Whether it has text that is not UTF-8. */
  boolean hasLooseBytes() {
    return LOOSE_BYTE.matcher(canonical).find();
  }

  boolean accepts() {
    return error.isEmpty();
  }
}

package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The OpenAPI document has all routes of a running server, and no others, but for the explorer's
 * page and its files: what a browser loads is no part of the API.
 */
class OpenApiRoutesTest {
  private static final Set<String> EXPLORER = Set.of("GET /", "GET /explore/");

  private final RunningServer server;

  OpenApiRoutesTest() throws Exception {
    server = new RunningServer(1 << 20);
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @Test
  void document_ofARunningServer_hasExactlyItsRoutes() throws Exception {
    HttpResponse<String> answer = server.get("/api/v1/openapi.yaml");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/yaml");
    Map<String, Object> document = new Yaml().load(answer.body());
    assertThat(document.get("openapi")).isEqualTo("3.1.0");

    Set<String> documented = new TreeSet<>();
    Map<?, ?> paths = (Map<?, ?>) Objects.requireNonNull(document.get("paths"));
    paths.forEach(
        (path, operations) ->
            ((Map<?, ?>) operations)
                .keySet()
                .forEach(
                    method ->
                        documented.add(method.toString().toUpperCase(Locale.ROOT) + " " + path)));

    Set<String> routes = new TreeSet<>(server.routes());
    assertThat(routes).containsAll(EXPLORER);
    routes.removeAll(EXPLORER);
    assertThat(documented).isEqualTo(routes).contains("POST /api/v1/intervals");
  }
}

package io.hdrsidecar.sidecar.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * {@code parameters.json}, which requests are held against, has the parameters of every operation
 * of {@code openapi.yaml} below {@code /api/v1}. With {@code -Dhdr.docs.write=true} it is written.
 */
class ApiParametersTest {
  private static final Path FOLDER = Path.of("src/main/resources/io/hdrsidecar/sidecar/api");
  private static final List<String> FOR_PEOPLE = List.of("description", "example", "examples");

  @Test
  void file_parameters_areThoseOfTheServedDocument() throws IOException {
    String expected = new JsonObject(parameters()).encodePrettily() + "\n";
    Path file = FOLDER.resolve("parameters.json");
    if (Boolean.getBoolean("hdr.docs.write")) {
      Files.writeString(file, expected);
    }

    assertThat(Files.readString(file)).isEqualTo(expected);
  }

  private static Map<String, Object> parameters() throws IOException {
    Map<String, Object> found = new LinkedHashMap<>();
    try (InputStream in = Files.newInputStream(FOLDER.resolve("openapi.yaml"))) {
      Map<?, ?> document = new Yaml().load(new String(in.readAllBytes(), UTF_8));
      map(document, "paths")
          .forEach(
              (path, methods) ->
                  ((Map<?, ?>) methods)
                      .forEach(
                          (method, operation) ->
                              found.put(
                                  method.toString().toUpperCase(Locale.ROOT) + " " + path,
                                  parameters(document, (Map<?, ?>) operation))));
    }
    found.keySet().removeIf(request -> !request.contains(" /api/v1/"));
    return found;
  }

  private static List<Object> parameters(Map<?, ?> document, Map<?, ?> operation) {
    List<Object> found = new ArrayList<>();
    if (operation.get("parameters") instanceof List<?> parameters) {
      for (Object each : parameters) {
        Map<String, Object> parameter = forRules(resolved(document, (Map<?, ?>) each));
        parameter.put("schema", forRules(resolved(document, map(parameter, "schema"))));
        found.add(parameter);
      }
    }
    return found;
  }

  private static Map<String, Object> forRules(Map<?, ?> declared) {
    Map<String, Object> found = new LinkedHashMap<>();
    declared.forEach((key, value) -> found.put(key.toString(), value));
    found.keySet().removeAll(FOR_PEOPLE);
    return found;
  }

  private static Map<?, ?> resolved(Map<?, ?> document, Map<?, ?> object) {
    Object reference = object.get("$ref");
    if (reference == null) {
      return object;
    }
    Map<?, ?> found = document;
    for (String part : reference.toString().substring("#/".length()).split("/", -1)) {
      found = map(found, part);
    }
    return found;
  }

  private static Map<?, ?> map(Map<?, ?> of, String key) {
    return (Map<?, ?>) Objects.requireNonNull(of.get(key), key);
  }
}
